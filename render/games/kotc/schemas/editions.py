"""The schema of the data file of an edition."""

from __future__ import annotations

from enum import Enum

from render.games.kotc.editions import reading
from render.games.kotc.model.declaration import LAST_EDITION, declaration
from render.games.kotc.model.edition import AbilityCount, Rounding
from render.source import shapes
from render.source.fields import HIGHEST
from render.source.shapes import KeyRow, Shape

ROWS = (
    KeyRow("`edition`", "its number, that of the file's name"),
    KeyRow(
        "`terms`",
        "what it calls a card with SP and HP (`minion`), and its `sp`, `hp` and `level`: creature, offense, "
        "defense and cost up to the 10th Edition, and level in the 11th",
    ),
    KeyRow(
        "`grammar`",
        "how its cards [are written](#how-cards-are-written), if it is not as in the newest edition; without it, as in "
        "the shipped file of that number",
    ),
    KeyRow("`clean_slate`", "the oldest design edition that is legal; without it, all are"),
    KeyRow(
        "`deck`",
        "`cards`: how many a deck has, `40` or `40-60`; `ultra_points`: at most how many, where they exist",
    ),
    KeyRow(
        "`levels`",
        "`hp_share`: what part of its HP is added to a minion's SP; `round`: `card` if only the sum of the whole "
        "card is rounded up, `ability`, which is the default, if SP and HP, and each ability, are; "
        "`least_of_minion`, `least_of_minion_ability` and `least_of_spell_ability`: the least level of a minion "
        "(0 by default) and of an ability. A level to which something is missing is not calculated",
    ),
    KeyRow(
        "`kinds`",
        "kinds of card beside minions and spells: [their names, numbers and levels](#new-kinds-of-card)",
    ),
    KeyRow(
        "`reworded`",
        "`old` texts and the `new` ones that take their place, one after the other until nothing changes any more",
    ),
    KeyRow("`redacted`", "texts that may not be played"),
    KeyRow(
        "`revised_levels`",
        "a `text` whose level or cost was revised, and in which `edition`: older designs with it may not be played",
    ),
    KeyRow(
        "`revised_ultra_points`",
        "the same of Ultra Points: those of older designs are worked out anew for a deck",
    ),
    KeyRow("`caveats`", "caveats up to the 11th Edition, with the `level` that they take off SP and HP"),
    KeyRow(
        "`conditions`",
        "activation conditions: up to the 10th Edition with the `level` that they take off the ability, in the "
        "11th with `a`, a factor of its effects",
    ),
    KeyRow("`costs`", "activation costs, with the `level` they take off"),
    KeyRow("`targets`", "target selections, with `t`, what the targets count in effects"),
    KeyRow("`effects`", "effects, with the `level` they add"),
    KeyRow(
        "`unknown`",
        "what an import did not understand: the `section` of this file, the `line` of the page and its `words`. "
        "Write what they say into the list, and remove the entry: until then nothing is judged that they might "
        "change. `kind` is a new kind of card of which alone they speak: other cards are judged. A later import keeps your file as `NN.yaml.old`",
    ),
)
"""What the reference says of the keys of such a file."""


def edition_schema() -> Shape:
    """Return the schema of `editions/NN.yaml`."""
    text, whole = shapes.FULL_LINE, shapes.whole(1, LAST_EDITION)
    revised = shapes.listing(shapes.mapping({"text": text, "edition": whole}, ["edition", "text"]))
    own: dict[str, Shape] = {
        "edition": whole,
        "terms": shapes.mapping(dict.fromkeys(reading.TERMS, text), reading.TERMS),
        "grammar": _grammar(),
        "clean_slate": whole,
        "deck": shapes.mapping({"cards": _deck_size(), "ultra_points": shapes.whole(0, HIGHEST)}, ["cards"]),
        "levels": _levels(),
        "kinds": shapes.listing(_kind()),
        "reworded": shapes.listing(shapes.mapping(dict.fromkeys(reading.REWORDING, text), reading.REWORDING)),
        "redacted": shapes.listing({**shapes.WORD, "pattern": shapes.FULL_LINE["pattern"]}),
        "revised_levels": revised,
        "revised_ultra_points": revised,
        **{key: shapes.listing(_component(measure)) for key, (_, measure) in reading.ROLES.items()},
        "unknown": shapes.listing(_unknown()),
    }
    whole_file = shapes.mapping(shapes.described(own, ROWS), ["edition", "terms", "deck"])
    return {"title": "Rules of an edition", **whole_file}


def _grammar() -> Shape:
    own: dict[str, Shape] = {
        key: shapes.word([each.value for each in type(usual)], usual.value)
        if isinstance(usual, Enum)
        else shapes.truth(default=True)
        for key, usual in reading.GRAMMAR.items()
    }
    return shapes.mapping(own)


def _deck_size() -> Shape:
    number = "[1-9][0-9]{0,3}"
    exact: Shape = {"type": "integer", "minimum": 1, "maximum": HIGHEST}
    return shapes.either(exact, shapes.matching(f"^{number}(-{number})?$", "a number of cards such as `40` or `40-60`"))


def _share() -> Shape:
    share = shapes.matching("^(0|[1-9][0-9]{0,3})(/[1-9][0-9]{0,3})?$", "a fraction such as `1/2`")
    return shapes.either(shapes.whole(0, HIGHEST), share)


def _kind() -> Shape:
    least = shapes.whole(0, LAST_EDITION)
    name = shapes.matching(f"^{reading.NAME_OF_KIND.pattern}$", "a word for a new kind of card, such as `relic`")
    usual = "|".join(declaration().kinds_by_name)
    own: dict[str, Shape] = {
        "name": {**name, "not": {"pattern": f"^({usual})$"}},
        "sp_share": _share(),
        "hp_share": _share(),
        "abilities": shapes.word([each.value for each in AbilityCount], AbilityCount.ANY.value),
        "least": least,
        "least_of_ability": least,
        "frame": shapes.word(reading.FRAMES),
    }
    return shapes.mapping(own, ["name"])


def _levels() -> Shape:
    least = shapes.whole(0, LAST_EDITION)
    own: dict[str, Shape] = {
        "hp_share": _share(),
        "round": shapes.word([each.value for each in Rounding], Rounding.ABILITY.value),
        "least_of_minion": least,
        "least_of_minion_ability": least,
        "least_of_spell_ability": least,
    }
    return shapes.mapping(own)


def _component(measure: str) -> Shape:
    """Return the schema of a component; `measure` is the key of its formula, if it must have one."""
    formulas = [measure] if measure else ["level", "a"]
    limits = shapes.mapping(dict.fromkeys(reading.LIMITED, shapes.whole(1, HIGHEST)))
    own: dict[str, Shape] = {
        "text": shapes.FULL_LINE,
        **dict.fromkeys(formulas, shapes.FULL_LINE),
        "ultra_points": shapes.whole(0, HIGHEST),
        "limits": limits,
    }
    return shapes.mapping(own, ["text", measure] if measure else ["text"])


def _unknown() -> Shape:
    own: dict[str, Shape] = {
        "section": shapes.word(reading.SECTIONS),
        "line": shapes.whole(1, reading.LAST_LINE),
        "words": shapes.FULL_LINE,
        "kind": shapes.FULL_LINE,
    }
    return shapes.mapping(own, ["line", "section", "words"])
