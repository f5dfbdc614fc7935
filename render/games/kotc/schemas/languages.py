"""The schema of the words of an edition in another language."""

from __future__ import annotations

from render.games.kotc.editions.reading import ROLES
from render.games.kotc.languages import reading
from render.games.kotc.languages.vocabulary import TERMS
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import Role
from render.source import shapes
from render.source.shapes import KeyRow, Shape

ROWS = (
    KeyRow("`edition`, `language`", "the number of the edition and the language, those of the file's name"),
    KeyRow("`name`", "what the language calls itself"),
    KeyRow(
        "`terms`",
        "the language's words for kinds of card and their numbers; `edition` is the Edition Indicator, where "
        "`{x}` is its number",
    ),
    KeyRow(
        "`joints`",
        "what stands between components, with its spaces: behind a name or condition (`colon`), behind a target "
        "selection (`semicolon`), between effects (`then`, `also`), between two costs (`and`), before the last of"
        " more (`last_and`)",
    ),
    KeyRow(
        "`no_break`",
        "optional: signs that stay on the line of their word. A space `before` or `after` them is printed as a "
        "no-break space, before those of `narrow_before` as a narrow one",
    ),
    KeyRow(
        "`targets_as`",
        'how effects speak of the targets, under names of your own: of `many` ("the targets", "each target"), of '
        '`one` ("the target"), and as `it`, for which there may be words for each gender',
    ),
    KeyRow(
        "`conditions`, `costs`, `targets`, `effects`",
        "the components: the `text` of the edition's own file, and its `words`. `it`, at a target selection, is "
        "the gender of a single target",
    ),
)
"""What the reference says of the keys of such a file."""


def language_schema() -> Shape:
    """Return the schema of `editions/NN.de.yaml`."""
    text, terms = shapes.FULL_LINE, ("edition", *TERMS)
    own: dict[str, Shape] = {
        "edition": shapes.whole(1, LAST_EDITION),
        "language": text,
        "name": text,
        "terms": shapes.mapping(dict.fromkeys(terms, text), terms),
        "joints": shapes.mapping(dict.fromkeys(reading.JOINTS, text), reading.JOINTS),
        "no_break": shapes.mapping(dict.fromkeys(reading.NO_BREAK, shapes.LINE)),
        "targets_as": shapes.named({}, _targets()),
        **{key: shapes.listing(_component(role)) for key, (role, _) in ROLES.items()},
    }
    whole = shapes.mapping(shapes.described(own, ROWS), ["edition", "language", "name", "terms", "joints"])
    return {"title": "Words of an edition in a language", **whole}


def _targets() -> Shape:
    by_gender = {"type": "object", "maxProperties": reading.MAX_GENDERS, "additionalProperties": shapes.TEXT}
    own = dict.fromkeys(reading.SPOKEN, shapes.TEXT)
    return shapes.mapping({**own, "it": shapes.either(shapes.TEXT, by_gender)}, reading.SPOKEN)


def _component(role: Role) -> Shape:
    own = {"text": shapes.FULL_LINE, "words": shapes.FULL_LINE}
    return shapes.mapping({**own, "it": shapes.TEXT} if role is Role.TARGET else own, own)
