"""The words of an edition in another language as values: what a language file says, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from render.games.kotc.languages.notation import Variant
    from render.games.kotc.model.edition import Component


@dataclass(frozen=True, slots=True, kw_only=True)
class Joints:
    """What stands between the components of an ability, with its spaces.

    `colon` is behind a name or a condition, `semicolon` behind a target selection, `then` and `also` between effects,
    `and_` between two costs, `last_and` before the last of more.
    """

    colon: str
    semicolon: str
    then: str
    also: str
    and_: str
    last_and: str


class NoBreak(NamedTuple):
    """Signs from which no line break separates a word: a space `before` or `after` them is printed as a no-break space.

    Before those of `narrow_before` it is a narrow one.
    """

    narrow_before: str = ""
    before: str = ""
    after: str = ""


class JointMarks(NamedTuple):
    """Expressions for what stands behind a target selection, between effects and between costs."""

    semicolon: re.Pattern[str]
    effects: re.Pattern[str]
    costs: re.Pattern[str]


def joint_marks(joints: Joints) -> JointMarks:
    """Return the expressions that find joints with any spaces; a card may have none before a sign such as `;`."""
    costs = "|".join((_mark(joints.last_and), _mark(joints.and_), r"\s*,\s+"))
    return JointMarks(
        re.compile(_mark(joints.semicolon)),
        re.compile(f"{_mark(joints.then)}|{_mark(joints.also)}"),
        re.compile(costs),
    )


def _mark(joint: str) -> str:
    words = r"\s+".join(re.escape(word) for word in joint.split())
    return rf"\s+{words}\s+" if joint[:1].isspace() and joint.strip()[:1].isalnum() else rf"\s*{words}\s+"


ENGLISH_JOINTS = Joints(colon=": ", semicolon="; ", then=", then ", also=", also ", and_=" and ", last_and=", and ")


@dataclass(frozen=True, slots=True)
class WordedComponent:
    """A component of the edition in the language; `it` is the gender of the one target that it may select."""

    component: Component
    variants: tuple[Variant, ...]
    it: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LanguageWords:
    """The words of an edition in a language.

    `language` is its code, such as `de`, `name` its own name. `terms` are the words for kinds of card and their
    numbers, by the names of `TERMS`; `indicator` is the Edition Indicator, in which `{x}` is the edition's number.
    """

    language: str
    name: str
    edition: int
    terms: Mapping[str, str]
    indicator: tuple[Variant, ...]
    joints: Joints
    components: tuple[WordedComponent, ...]
    no_break: NoBreak

    def kept_together(self, text: str) -> str:
        """Return a text in which no line ends between a sign and its word; no character is added."""
        narrow, before, after = map(re.escape, self.no_break)
        text = re.sub(f" (?=[{narrow}])", "\u202f", text) if narrow else text
        text = re.sub(f" (?=[{before}])", "\u00a0", text) if before else text
        return re.sub(f"(?<=[{after}]) ", "\u00a0", text) if after else text

    def edition_indicator(self, number: int) -> str:
        """Return the Edition Indicator of an edition: `17. Edition`."""
        numbers = {"x": number}
        return next(each.filled(numbers) for each in self.indicator if each.fits(numbers))


TERMS = ("minion", "spell", "pawn", "tip", "sp", "hp", "level", "ultra_points")
