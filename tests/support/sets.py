"""Sets for tests: written as people write them, run as people run them."""

import textwrap
from pathlib import Path

from click.testing import CliRunner, Result

from render.cli.main import main

SET = "name: Test\nedition: 17\ncredit: Card design by anonymous author, CC0. Image author and license shown above.\n"


def write_set(folder: Path, cards: str, set_yaml: str = SET) -> Path:
    """Write a set of one card file and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "set.yaml").write_text(textwrap.dedent(set_yaml), encoding="utf-8")
    (folder / "cards.yaml").write_text(textwrap.dedent(cards), encoding="utf-8")
    return folder


def kotc(*arguments: object) -> Result:
    """Run the command; what a user cannot cause is raised."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
