"""Whether a face is drawn as its card file says: what the card's scene paints, and what the file paints.

They are compared piece by piece, in order: shapes and lines with their colors, each glyph with its place, pictures with
theirs. The contents of pictures are compared later, once for each picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from render.base.findings import Problem
from render.layout.bleed import add_bleed
from render.layout.press import PressLook, add_inked_bleed
from render.scene import proofs
from render.scene.items import Picture, Scene
from render.scene.proof_kinds import Proof
from render.verify.faces.drawn import FoundFace
from render.verify.faces.painting import UNSEEN, Painted, Painter
from render.verify.faces.scenes import Due, Inks, expected_paint
from render.verify.reading.content import UnreadableContent
from render.verify.reading.faults import Fault, mm
from render.verify.reading.pdf_reading import Image, Resources
from render.verify.reading.ticket import DrawingOptions
from render.verify.sheet import strays
from render.verify.sheet.beside import same_paint

TWIN = ":"  # cards of several sets with the same id are told apart in a file: `thor` and `thor:2`

Faces = tuple[Scene, Scene | None]
"""Front and back of a card; None for a card without a back."""

Cards = Mapping[str, Sequence[Faces]]
"""The faces of cards according to their files, by id: one entry for each set that has a card with that id."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture of a file where a picture of a card should be, with the card and its side."""

    image: Image
    picture: Picture
    card: str
    is_back: bool
    page: int


@dataclass(slots=True, kw_only=True)
class Likeness:
    """Compares the faces of one file with those of cards, and each drawing only once.

    `bleeds` are those of fronts and of backs in mm, `inks` tells how the file writes colors, `look` how a press inks
    faces.
    """

    cards: Cards
    drawing: DrawingOptions
    bleeds: tuple[float, float]
    inks: Inks
    painter: Painter
    look: PressLook | None = None
    shown: list[ShownPicture] = field(default_factory=list)
    _due: dict[int, tuple[Scene, list[Due]]] = field(default_factory=dict)
    _twins: dict[str, int] = field(default_factory=dict)

    def faults(self, face: FoundFace, resources: Resources, page: int, slot: str) -> Iterator[Fault]:
        """Yield a fault if a face is drawn differently than its card says; nothing for an unknown card."""
        faces = self.cards.get(face.name.partition(TWIN)[0])
        if not faces:
            return
        try:
            found = self.painter.painted(face.body, resources)
        except UnreadableContent as error:
            problem = Problem("Q006", f"how it is drawn cannot be followed: {error}")
            yield Fault(problem, page, card=face.name, is_back=face.is_back, slot=slot, kind="unfollowed")
            return
        scene = self._scene(face, faces, found)
        if scene is None and face.is_blank:
            return
        if scene is None:
            problem = Problem("Q090", "there, and its card has no back")
            yield Fault(problem, page, card=face.name, is_back=face.is_back, slot=slot, kind=SHAPES)
            return
        wanted = self._wanted(scene, face.is_back)
        difference = unlike(found, wanted)
        if difference:
            kind, what = difference
            yield Fault(Problem("Q090", what), page, card=face.name, is_back=face.is_back, slot=slot, kind=kind)
            return
        for painted, other in zip(found, wanted, strict=True):
            if painted.image is not None and other.picture is not None:
                self.shown.append(ShownPicture(painted.image, other.picture, face.name, face.is_back, page))

    def _scene(self, face: FoundFace, faces: Sequence[Faces], found: Sequence[Painted]) -> Scene | None:
        """Return the scene that a face should show; of cards with the same id, the first one that matches."""
        # A card may be in several sets: each name in the file takes one of them, and keeps it.
        if face.name not in self._twins and len(faces) > 1 and not face.is_back:
            taken = {number for name, number in self._twins.items() if name.partition(TWIN)[0] == _id(face.name)}
            free = [number for number in range(len(faces)) if number not in taken]
            like = (n for n in free if not unlike(found, self._wanted(faces[n][0], is_back=False)))
            self._twins[face.name] = next(like, free[0] if free else 0)
        return faces[self._twins.get(face.name, 0)][face.is_back]

    def _wanted(self, scene: Scene, is_back: bool) -> list[Due]:
        known = self._due.get(id(scene))
        if known is None:
            # The scene is kept beside its pieces: else its `id` could become that of another scene.
            known = self._due[id(scene)] = (
                scene,
                list(expected_paint(self._drawn(scene, self.bleeds[is_back]).items, self.inks)),
            )
        return known[1]

    def _drawn(self, scene: Scene, bleed: float) -> Scene:
        if self.drawing.proof is not Proof.NONE:
            return proofs.proof(scene, self.drawing.proof, self.drawing.radius)
        if self.look:
            face = add_inked_bleed(scene, bleed, self.drawing.bleed_from, self.look)
            if self.look.has_transparency:
                return face
            from render.shops.flattening import flattened

            return flattened(face)
        return add_bleed(scene, bleed, self.drawing.bleed_from)


def _id(name: str) -> str:
    return name.partition(TWIN)[0]


def unlike(found: Sequence[Painted], wanted: Sequence[Painted]) -> tuple[str, str] | None:
    """Return the first difference in what is painted: its kind, and what it is; None if there is none."""
    pairs = zip(found, wanted, strict=False)
    at = next((number for number, (one, other) in enumerate(pairs) if not same_paint(one, other)), None)
    if at is None:
        if len(found) == len(wanted):
            return None
        at = min(len(found), len(wanted))
    more, less = found[at:], wanted[at:]
    # One piece more or less: the next ones match again.
    if len(more) > len(less) and (not less or same_paint(more[1], less[0])):
        return _kind(more[0]), f"{_word(more[0])} is drawn on it, and its card has none"
    if len(less) > len(more) and (not more or same_paint(more[0], less[1])):
        return _kind(less[0]), f"{_word(less[0])} is not drawn on it, and its card has it"
    return _changed(more[0], less[0])


def _changed(found: Painted, wanted: Painted) -> tuple[str, str]:
    if found.kind != wanted.kind:
        return _kind(wanted), f"{_word(found)} is drawn on it where its card has {_word(wanted)}"
    what = _word(wanted)
    if found.kind == "group":
        return _kind(wanted), f"{what} is drawn on it with another opacity, clip or mask than its card's"
    if len(found.color) != len(wanted.color) or any(
        abs(a - b) > COLOR for a, b in zip(found.color, wanted.color, strict=True)
    ):
        return _kind(wanted), f"{what} is drawn on it in another color than its card's"
    if found.overprints != wanted.overprints:
        does = "overprints" if found.overprints else "does not overprint"
        return _kind(wanted), f"{what} {does} what lies below it, otherwise than its card's"
    if found.kind in ("glyphs", UNSEEN) and found.shape != wanted.shape:
        said, meant = strays.read(found), strays.read(wanted)
        if said != meant:
            return _kind(wanted), f"the text `{said[:60]}` is drawn on it, and its card says `{meant[:60]}`"
        return _kind(wanted), f"the text `{said[:60]}` is drawn on it in other glyphs than its card's"
    if len(found.points) == len(wanted.points):
        off = max((abs(a - b) for a, b in zip(found.points, wanted.points, strict=True)), default=0.0)
        if off > NEAR:
            return _kind(wanted), f"{what} is drawn on it {mm(off)} mm from where its card has it"
    return _kind(wanted), f"{what} is drawn on it otherwise than its card says"


COLOR, NEAR = 0.004, 0.01  # of 1, half a step of 255 and rounding; mm


def _word(painted: Painted) -> str:
    if painted.kind == UNSEEN:
        return f"the unseen text `{strays.read(painted)[:40]}`"
    if painted.kind == "glyphs":
        return f"the text `{strays.read(painted)[:40]}`"
    return strays.KINDS[painted.kind]


SHAPES, TEXTS, PICTURES = "shapes", "texts", "pictures"


def _kind(painted: Painted) -> str:
    return {"glyphs": TEXTS, UNSEEN: TEXTS, "picture": PICTURES}.get(painted.kind, SHAPES)
