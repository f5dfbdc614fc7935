"""A reading laid out and drawn by the program itself, and compared with the picture place by place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from render.base.findings import Refused
from render.base.geometry import Rect
from render.games.kotc.drawing.card_values import paragraphs
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model import ability
from render.games.kotc.model.cards import Kind
from render.games.kotc.workshop.recognition.card_places import Frame, Place, card_values, scene_of
from render.games.kotc.workshop.recognition.registration import SeenCard
from render.games.kotc.workshop.recognition.signs.line_reading import InkSheet
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Scene, TextRun
from render.text.fitting import TextBox

_UNLIKE = 0.3  # of the squared ink of a place: more than hinted letters differ by
_SPECKS = 6.0  # of squared ink, where nothing is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The words of a card as they were read; sizes in mm, 0 where there are none. `red` says whether any are red."""

    name: str
    text: str
    flavor: str
    credit: str
    text_size: float
    flavor_size: float
    red: bool


def parsed_text(frame: Frame, text: str) -> ability.AbilityText | None:
    """Return an ability text by its parts; None for a card without abilities."""
    if frame.kind is Kind.TIP or not text:
        return None
    return ability.parse(text, usual_grammar(frame.edition), is_spell=frame.kind is Kind.SPELL)


def scene_again(frame: Frame, words: ReadWords, numbers: Mapping[str, object], *, sized: bool) -> Scene | None:
    """Return the card laid out as the program does it, at the sizes that were read if `sized`; None if it cannot be."""
    again = {
        "name": words.name,
        "flavor": words.flavor,
        "credit": words.credit,
        "paragraphs": paragraphs(words.text, parsed_text(frame, words.text), red=words.red),
        **numbers,
    }
    if sized:
        again |= {"text_size": words.text_size or None, "flavor_size": words.flavor_size or None}
    elif words.text_size:
        again["least_text"] = min(words.text_size, float(str(card_values(frame)["least_text"])))
    try:
        return scene_of(frame, **again)
    except Refused:
        return None


def lines_in(scene: Scene, place: Place) -> list[str]:
    """Return the lines of a text box as they are laid out."""
    lines = groupby(
        sorted(_runs(scene, place), key=lambda run: (run.transform.f, run.transform.e)), key=lambda run: run.transform.f
    )
    return [" ".join("".join(run.words for run in line).split()) for _, line in lines]


def size_in(scene: Scene, place: Place) -> float:
    """Return the size in mm at which a text box is set; 0 without text."""
    sizes = [run.size for run in _runs(scene, place)]
    return sizes[0] if sizes else 0.0


def _runs(scene: Scene, place: Place) -> list[TextRun]:
    """Return the runs whose baselines lie in a text box."""
    assert isinstance(place.room, TextBox)
    box = place.room.room
    texts = [item for item in scene.items if isinstance(item, TextRun)]
    return [
        run for run in texts if box.x - 1 < run.transform.e < box.right and box.y < run.transform.f < box.bottom + 0.1
    ]


def unlike(card: SeenCard, sheet: InkSheet, scene: Scene, frame: Mapping[str, Rect]) -> set[str]:
    """Return the keys whose boxes, in mm, the picture shows otherwise than the scene."""
    texts = tuple(item for item in scene.items if isinstance(item, TextRun))
    drawn = paint(Scene(scene.size, tuple(replace(run, fill=(0, 0, 0)) for run in texts)), Canvas(card.dpi))
    ink = 1 - np.asarray(drawn.convert("L"), np.float32) / 255
    found = set()
    for key, box in frame.items():
        top, bottom, left, right = (round(each * card.scale) for each in (box.y, box.bottom, box.x, box.right))
        there, again = sheet.ink[top:bottom, left:right], ink[top:bottom, left:right]
        if float(np.square(there - again).sum()) > _UNLIKE * float(np.square(again).sum()) + _SPECKS:
            found.add(key)
    return found
