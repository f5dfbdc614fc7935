"""What players with little sight or other eyes cannot make out on cards: faint words, small ones, colors that look alike.

The figures are measured on the drawn faces. Equal findings of many cards are one, with the card where it is worst.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from render.base.findings import Diagnostic, Severity, Span, listed, quoted
from render.base.forking import map_in_two_processes
from render.base.geometry import MM_PER_POINT
from render.base.progress import stage
from render.base.resources import is_ours
from render.game.cards import GameCard, GameSet, homes, is_given, key_of_face, place_of_key
from render.game.faces import sides_with_parts
from render.game.registry import game_of
from render.game.side_layout import SetLayouter
from render.images.inks import lab_of
from render.images.vision import Eyes, seen_by
from render.layout.lay_out import FacePart, lay_out
from render.png.canvas import Canvas
from render.png.legibility import Line, read_lines
from render.png.paint import paint
from render.scene.items import Scene

LEAST_TYPE = 6.0
"""The size in points below which type is small.

At 6 pt the small letters of DejaVu Sans are 1.16 mm high; on food labels in the European Union they must have 1.2 mm
(Regulation (EU) No 1169/2011, Article 13).
"""

_ROUNDING = 0.05  # of a contrast or of points: what a message rounds away is no fault


class _Text(Struct, frozen=True):
    """What a face shows of an element of its template: how many points its smallest words have, and its faintest ones.

    `side` is 0 on fronts, 1 on backs of a card's own, or the name of a back that cards share.
    """

    side: int | str
    field: str
    place: Span
    points: float
    small: str
    contrast: float
    needed: float
    faint: str


def access_findings(sets: Iterable[GameSet], least_type: float = LEAST_TYPE) -> Iterator[Diagnostic]:
    """Yield warnings about sets whose cards can be drawn; `least_type` is the smallest type in points."""
    in_languages: dict[Path, list[GameSet]] = {}
    for part in (part for card_set in sets for part in homes(card_set)):
        in_languages.setdefault(part.folder, []).append(part)
    for parts in in_languages.values():
        found = [*_of_texts(parts, least_type), *_of_icons(parts[0]), *_of_frames(parts[0])]
        yield from parts[0].codes.of_files(found)


# --- words ------------------------------------------------------------------------------------------------------------


def _of_texts(sets: Sequence[GameSet], least_type: float) -> Iterator[Diagnostic]:
    """Yield what is faint or small, element by element of the templates: most draw several kinds of card."""
    found: list[_Shown] = []
    with stage("look", sum(len(card_set.cards) for card_set in sets), "cards") as step:
        for card_set in sets:
            read = map_in_two_processes(partial(_read_cards, card_set), card_set.cards, step)
            found += (_Shown(card, text) for card, texts in zip(card_set.cards, read, strict=True) for text in texts)

    def element(shown: _Shown) -> tuple[str, int, str, str]:
        text = shown.text
        return str(text.place.file), text.place.line, text.field, text.side if isinstance(text.side, str) else ""

    for _, group in groupby(sorted(found, key=element), element):
        shown = [*group]
        if not shown[0].text.field and is_ours(str(shown[0].text.place.file)):  # such as the words of a license
            continue
        faint = [each for each in shown if each.text.contrast < each.text.needed - _ROUNDING]
        if faint:
            worst = min(faint, key=lambda each: each.text.contrast / each.text.needed)
            text = worst.text
            said = f"{text.contrast:.1f}:1 is too little contrast, and letters of that size need {text.needed:g}:1"
            hint = "make the letters darker or lighter than what lies under them, or give them a line or a ground"
            yield _warning("L013", worst, f"{said}: {quoted(text.faint)}", hint, faint, shown)
        small = [each for each in shown if each.text.points < least_type - _ROUNDING]
        if small:
            worst = min(small, key=lambda each: each.text.points)
            said = f"{worst.text.points:.1f} pt is small type, and many cannot read less than {least_type:g} pt"
            hint = "give it more room or fewer words, or set it larger"
            yield _warning("L014", worst, f"{said}: {quoted(worst.text.small)}", hint, small, shown)


class _Shown(NamedTuple):
    card: GameCard
    text: _Text


def _warning(
    code: str, worst: _Shown, said: str, hint: str, some: Sequence[_Shown], all_shown: Sequence[_Shown]
) -> Diagnostic:
    """Return the warning about what some of all cards show: at the template of the set if all do, else at the card."""
    card, text = worst
    what = f"`{text.field}`" if text.field else "a text"
    if isinstance(text.side, str):
        where, key = f"{what} of the back `{text.side}`", "back"
    else:
        cards, of_all = len({each.card.id for each in some}), len({each.card.id for each in all_shown})
        kinds = listed([*dict.fromkeys(each.card.kind.value for each in some)], "and")
        how_many = f"{cards} of {of_all} cards, worst on " if of_all > 1 else ""
        variant = f" as `{card.variant}`" if card.variant else ""
        where = f"{what} of {kinds} on {how_many}`{card.id}`{variant}"
        of_face = key_of_face(text.side, text.field)
        key = of_face if is_given(card, of_face) else text.field
    problem = Diagnostic(code, f"{where}: {said}", hint, severity=Severity.WARNING)
    is_of_set = len(some) == len(all_shown) and not is_ours(str(text.place.file))
    return problem.at(text.place if is_of_set else place_of_key(card, key), card.id, text.field)


def _read_cards(card_set: GameSet, cards: Sequence[GameCard]) -> Iterator[list[_Text]]:
    """Yield what the sides of each card show, and a shared back with the first card that has it."""
    backs = set[int]()
    for card, (front, own, shared, parts) in zip(cards, sides_with_parts(card_set, cards), strict=True):
        texts = [text for side, face in enumerate((front, own)) if face for text in _read_face(face, side, parts)]
        if shared and id(shared) not in backs:
            backs.add(id(shared))
            texts += _read_face(shared, card.back, parts)
        yield texts


def _read_face(face: Scene, side: int | str, parts: Sequence[FacePart]) -> Iterator[_Text]:
    """Yield what a face shows of each element that sets words."""
    of_runs = {id(run): part for part in parts for run in part.items}
    lines: dict[int, tuple[FacePart, list[Line]]] = {}
    for line in read_lines(face):
        part = of_runs.get(id(line.run))
        if part:
            lines.setdefault(id(part), (part, []))[1].append(line)
    for part, found in lines.values():
        faint = min(found, key=lambda line: line.contrast / line.needed)
        small = min(found, key=lambda line: line.size)
        yield _Text(
            side,
            part.id,
            part.place(),
            small.size / MM_PER_POINT,
            small.run.words.strip(),
            faint.contrast,
            faint.needed,
            faint.run.words.strip(),
        )


# --- colors -----------------------------------------------------------------------------------------------------------

# CIE 1976 delta E. Two colors that lie this far apart nobody takes for each other; below the other, eyes must look twice.
_CLEAR, _ALIKE = 20.0, 10.0
_OF_ICON, _OF_FACE = 0.05, 0.01  # of the picture: who can tell colors apart sees two icons, or two frames, by that much
_LEFT = 0.1  # of that share: where less still differs, nothing but color told the two apart; a letter or sign is more
_ICON_CANVAS, _FACE_CANVAS = Canvas(150.0), Canvas(50.0)
_FEWEST, _MOST = 3, 7  # cards of a kind: with fewer, nobody knows what is the frame; more show no more of it
_SAME = 5.0  # delta E: what the cards of a kind have in common
_MOSTLY = 0.8  # of the cards

Look = NDArray[np.float64]
"""The Lab values of each pixel, as one sort of eyes sees them."""


def _of_icons(card_set: GameSet) -> Iterator[Diagnostic]:
    icons = [*game_of(card_set).icons(card_set)]
    width, height = (max((_ICON_CANVAS.pixels(icon.scene)[at] for icon in icons), default=1) for at in (0, 1))
    looks = []
    for icon in icons:
        image = Image.new("RGB", (width, height), "white")
        image.paste(paint(icon.scene, _ICON_CANVAS))
        looks.append((icon, _looks(image)))
    for (one, its), (other, others) in combinations(looks, 2):
        if lacking := _alike_to(its, others, np.ones((height, width), bool), _OF_ICON):
            message = f"the icons `{one.name}` and `{other.name}` differ by color alone: {_cannot(lacking)}"
            hint = "give one another shape, or make it much lighter or darker"
            yield Diagnostic("L015", message, hint, severity=Severity.WARNING).at(
                other.place, field=f"icons.{other.name}"
            )


def _of_frames(card_set: GameSet) -> Iterator[Diagnostic]:
    """Yield which kinds, and which choices of a kind, only colors tell apart, of what their fronts have in common."""
    layouter, images = SetLayouter(card_set, lay_out), dict[str, Image.Image | None]()

    def image(card: GameCard) -> Image.Image | None:
        if card.id not in images:
            front, _ = layouter.sides(card)
            images[card.id] = paint(front, _FACE_CANVAS) if front else None
        return images[card.id]

    for key, groups in _told_apart(card_set):
        frames = []
        for value, cards in groups.items():
            fronts = [front for card in cards[:_MOST] if (front := image(card))]
            if len(fronts) >= _FEWEST and len({front.size for front in fronts}) == 1:
                median = np.median(np.stack([*map(np.asarray, fronts)]), axis=0)
                looks = _looks(Image.fromarray(median.astype(np.uint8), "RGB"))
                alike = [np.linalg.norm(lab_of(each) - looks[0], axis=2) < _SAME for each in fronts]
                frames.append((value, cards[0], looks, np.mean(alike, axis=0) >= _MOSTLY))
        for (one, _, its, its_frame), (other, card, others, frame) in combinations(frames, 2):
            if its_frame.shape == frame.shape and (lacking := _alike_to(its, others, its_frame & frame, _OF_FACE)):
                message = f"the fronts of {one} and {other} differ by color alone: {_cannot(lacking)}"
                hint = "write it on the card, or tell it by a sign, by where things stand, or by light and dark"
                problem = Diagnostic("L015", message, hint, severity=Severity.WARNING)
                yield problem.at(place_of_key(card, key), card.id, key)


def _told_apart(card_set: GameSet) -> Iterator[tuple[str, Mapping[str, Sequence[GameCard]]]]:
    """Yield the cards of each kind, and of each kind those of each choice of a field, by what messages call them."""
    game, kinds = game_of(card_set), dict[str, list[GameCard]]()
    for card in card_set.cards:
        kinds.setdefault(f"`{card.kind.value}`", []).append(card)
    yield "kind", kinds
    for field in (name for name, choices in game.counted(card_set.cards).items() if choices):
        for cards in kinds.values():
            chosen: dict[str, list[GameCard]] = {}
            for card in cards:
                chosen.setdefault(f"`{field}: {game.expression_values(card).get(field)}`", []).append(card)
            yield field, chosen


def _looks(image: Image.Image) -> list[Look]:
    """Return what all sorts of eyes see of an image: first those that tell all colors apart, then each of `Eyes`."""
    return [lab_of(image), *(lab_of(seen_by(eyes, image)) for eyes in Eyes)]


def _alike_to(one: list[Look], other: list[Look], where: NDArray[np.bool_], least: float) -> list[Eyes]:
    """Return the eyes to which two pictures look alike that differ for others, in at least that share of the pixels."""
    clear, *left = (np.linalg.norm(each - its, axis=2)[where] for each, its in zip(one, other, strict=True))
    differs = (clear > _CLEAR).sum()
    if differs < least * where.size:
        return []
    return [eyes for eyes, seen in zip(Eyes, left, strict=True) if (seen > _ALIKE).sum() < _LEFT * least * where.size]


def _cannot(lacking: Sequence[Eyes]) -> str:
    return f"who sees {' or '.join(eyes.words for eyes in lacking)} cannot tell them apart"
