"""The faces of a card: its values for the template, its picture, and the scenes that come of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from render import art
from render.diag import Diagnostic, Refused, has_errors
from render.games.kotc import ability
from render.games.kotc.cards import Card, CardSet, Kind, ordinal, place
from render.geometry import POKER
from render.layout import lay_out
from render.scene import Picture, Scene, walk
from render.template import Templates

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""The endings by which a `back` is known to be a picture and not a template."""


@dataclass(frozen=True, slots=True)
class Faces:
    """A card with its two faces; cards with the same back share one scene, so that it is drawn once."""

    card: Card
    front: Scene
    back: Scene


@dataclass(frozen=True, slots=True)
class Drawn:
    """The faces of a set's cards in order, and the warnings about them."""

    faces: tuple[Faces, ...]
    findings: tuple[Diagnostic, ...]


def draw(card_set: CardSet) -> Drawn:
    """Lay out every card of a set; Refused with all errors of all cards, warnings among them."""
    painter = _Painter(card_set)
    faces = tuple(painter.faces())
    if has_errors(painter.findings):
        raise Refused(painter.findings)
    return Drawn(faces, tuple(painter.findings))


def template_values(card: Card, card_set: CardSet, artwork: art.Artwork | None) -> dict[str, object]:
    """Return what a template sees as `card`; the reference is templates/README.md."""
    parsed = ability.parse(card.text, card.edition, is_spell=card.kind is Kind.SPELL) if _has_abilities(card) else None
    return {
        "name": card.name,
        "kind": card.kind.value,
        "edition": card.edition,
        "edition_indicator": f"{ordinal(card.edition)} Edition",
        "level": card.level,
        "ultra_points": card.ultra_points,
        "sp": card.sp,
        "hp": card.hp,
        "paragraphs": paragraphs(card.text, parsed, red=card_set.red),
        "padlock": parsed is not None and parsed.padlock,
        "flavor": card.flavor,
        "credit": card.credit,
        "art": _art_values(card, artwork),
    }


Run = dict[str, object]


def paragraphs(text: str, parsed: ability.AbilityText | None, *, red: bool) -> list[list[Run]]:
    """Return the paragraphs as runs with `text`, `red` (as the grammar says) and `italic` (tutorial text)."""
    reds = parsed.red if parsed is not None and red else ()
    italics = parsed.tutorials if parsed is not None else ()
    runs: list[list[Run]] = []
    at = 0
    for line in text.split("\n"):
        if line.strip():
            runs.append(list(_runs(text, at, at + len(line), reds, italics)))
        at += len(line) + 1
    return runs


Spans = Sequence[ability.Part]


def _runs(text: str, start: int, end: int, reds: Spans, italics: Spans) -> Iterator[Run]:
    edges = {start, end} | {edge for part in (*reds, *italics) for edge in (part.start, part.end) if start < edge < end}
    for a, b in pairwise(sorted(edges)):
        words = text[a:b].replace("->", "→")
        yield {"text": words, "red": _within(a, reds), "italic": _within(a, italics)}


def _within(index: int, parts: Spans) -> bool:
    return any(part.start <= index < part.end for part in parts)


def _has_abilities(card: Card) -> bool:
    return card.kind is not Kind.TIP and bool(card.text.strip())


def _art_values(card: Card, artwork: art.Artwork | None) -> dict[str, object] | None:
    if card.art is None or artwork is None:
        return None
    return {
        "href": card.art.name,
        "width": artwork.width,
        "height": artwork.height,
        "author": card.art.author,
        "license": card.art.license,
        "corner": card.art.corner.value,
        "color": card.art.color,
        "fit": card.art.fit.value,
    }


class _Painter:
    """Lays out the cards of one set; collects findings and keeps the backs that were already laid out."""

    def __init__(self, card_set: CardSet) -> None:
        self.set = card_set
        self.templates = Templates([card_set.folder / "templates", card_set.folder])
        self.findings: list[Diagnostic] = []
        self.backs: dict[str, Scene] = {}

    def faces(self) -> Iterator[Faces]:
        for card in self.set.cards:
            try:
                front, back = self.front(card), self.back(card)
            except Refused as error:
                self.findings += [_at(card, finding) for finding in error.findings]
                continue
            yield Faces(card, front, back)

    def front(self, card: Card) -> Scene:
        artwork = self.inspected(card)
        values = {"card": template_values(card, self.set, artwork)}

        def picture(href: str) -> art.Artwork:
            if artwork is not None and card.art is not None and href == card.art.name:
                return artwork
            return _picture(self.set.folder, href)

        scene = lay_out(self.templates.get(card.kind.value), values, picture)
        self.check_dpi(card, scene, artwork)
        return scene

    def back(self, card: Card) -> Scene:
        back = self.backs.get(card.back)
        if back is None:
            back = self.backs[card.back] = self.laid_out_back(card)
        return back

    def laid_out_back(self, card: Card) -> Scene:
        if Path(card.back).suffix.lower() not in PICTURES:
            values = {"card": template_values(card, self.set, None)}
            return lay_out(self.templates.get(card.back), values, lambda href: _picture(self.set.folder, href))
        mention = art.Mention(card.back, place(card, "back"), card.id, "back")
        inspected = art.inspect(self.set.folder / card.back, mention)
        self.findings += inspected.findings
        if inspected.artwork is None:
            raise Refused([])
        placed = art.place(inspected.artwork, POKER.rect, art.COVER)
        return Scene(POKER, (Picture(inspected.artwork.file, inspected.artwork.digest, placed.box, placed.crop),))

    def inspected(self, card: Card) -> art.Artwork | None:
        if card.art is None:
            return None
        inspected = art.inspect(card.art.file, _mention(card))
        self.findings += inspected.findings
        if inspected.artwork is None:
            raise Refused([])
        return inspected.artwork

    def check_dpi(self, card: Card, scene: Scene, artwork: art.Artwork | None) -> None:
        """Warn of a picture that is too coarse where the template put it."""
        for item in walk(scene.items):
            if artwork is not None and isinstance(item, Picture) and item.digest == artwork.digest:
                coarse = art.coarse(artwork, art.Placement(item.box, item.crop), _mention(card))
                self.findings += [coarse] if coarse else []


def _mention(card: Card) -> art.Mention:
    return art.Mention(card.art.name if card.art else "", place(card, "art.file"), card.id, "art.file")


def _picture(folder: Path, href: str) -> art.Artwork:
    """Return a picture that a template itself names, relative to the set's folder."""
    file = (folder / href).resolve()
    if not file.is_relative_to(folder.resolve()):
        raise Refused([Diagnostic("T009", f"a template names `{href}`, which lies outside the set's folder")])
    inspected = art.inspect(file, art.Mention(href))
    if inspected.artwork is None:
        raise Refused(inspected.findings)
    return inspected.artwork


def _at(card: Card, finding: Diagnostic) -> Diagnostic:
    """Return a finding of layout at the card's field it speaks of; one of the template keeps the template's place."""
    if not finding.code.startswith("L"):
        return finding
    return replace(finding, card=card.id, span=place(card, finding.field))
