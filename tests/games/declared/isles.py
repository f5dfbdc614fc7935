"""A game whose kinds of card have sizes and shapes of their own, as files; and commands that must go well."""

from tests.support.sets import kotc


def face(width: float, height: float, words: str = "") -> str:
    """Return a template with a red square, 4 mm a side, whose corner lies 3 mm right of and 5 mm below its own."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect x="-5" y="-5" width="200" height="200" fill="#ffffff"/>'
        f'<rect x="3" y="5" width="4" height="4" fill="#ff0000"/>{words}</svg>'
    )


def ran(*command: str) -> str:
    result = kotc(*command)
    assert result.exit_code == 0, result.output
    return result.output
