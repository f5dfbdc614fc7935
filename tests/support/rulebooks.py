"""The shipped rules, and entries of rules for tests that change them."""

from render.games.kotc.editions.finding import SHIPPED
from render.games.kotc.editions.reading import read
from render.games.kotc.model.edition import Revision, Rewording

NINTH, TENTH, ELEVENTH, TWELFTH, SEVENTEENTH = (read(SHIPPED / f"{number:02}.yaml") for number in (9, 10, 11, 12, 17))


def rewordings(*pairs: tuple[str, str]) -> tuple[Rewording, ...]:
    return tuple(Rewording(*pair) for pair in pairs)


def revisions(edition: int, *texts: str) -> tuple[Revision, ...]:
    return tuple(Revision(text, edition) for text in texts)
