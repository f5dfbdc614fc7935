"""What a page draws: its marked cards, each with its place and a digest of its drawing, and a digest of all the rest.

A card stands between the marks `/Card << /Name (id) /Side /Front >> BDC` and `EMC`, clipped to a box and put in its
place. Digests count forms, fonts and pictures by what they hold, whatever their names: two drawings with the same digest
look the same, as long as their fonts are the faces that they are called by.
"""

from __future__ import annotations

import hashlib
import io
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pikepdf import (
    ContentStreamInlineImage,
    ContentStreamInstruction,
    Dictionary,
    Name,
    Object,
    Page,
    Stream,
    String,
    parse_content_stream,
    unparse_content_stream,
)
from PIL import Image

from render.base.geometry import IDENTITY, MM_PER_POINT, Affine
from render.base.patterns import regex
from render.pdf.reading.colors import DEVICE
from render.pdf.reading.values import (
    Corners,
    as_corners,
    as_dictionary,
    as_items,
    as_matrix,
    as_name,
    as_number,
    digest,
    filters,
    inflated,
    inherited,
    is_true,
    key_of,
    page_boxes,
)
from render.verify.faults import NotReadable

MAX_DEPTH = 40  # dictionaries and forms within each other
MAX_INSTRUCTIONS = 5_000_000  # of a file: a thousand cards have a hundred thousand

Instruction = ContentStreamInstruction | ContentStreamInlineImage
Points = tuple[tuple[float, float], ...]

_PAINTING = frozenset("f F f* B B* b b* S s sh Do Tj TJ ' \"".split()) | frozenset(("INLINE IMAGE",))
# All operators (ISO 32000-1, annex A) but those that ours never need, which are `sh` and those of inline pictures.
_OPERATORS = _PAINTING - {"sh", "INLINE IMAGE"} | frozenset(
    "BDC BMC BT BX CS DP EMC ET EX G J K M MP Q RG SC SCN T* TD TL Tc Td Tf Tm Tr Ts Tw Tz W W* c cm cs d d0 d1 g gs h i"
    " j k l m n q re rg ri sc scn v w y".split()
)
_OF_STREAMS = frozenset(("/Length", "/Filter", "/DecodeParms", "/Type", "/Subtype", "/Name"))
_OF_FORMS = _OF_STREAMS | {"/FormType", "/BBox", "/Matrix", "/Resources", "/Group"}
_OF_PICTURES = _OF_STREAMS | {"/Width", "/Height", "/BitsPerComponent", "/ColorSpace", "/SMask"}
_RESOURCES = {
    "gs": "/ExtGState", "scn": "/Pattern", "SCN": "/Pattern", "sh": "/Shading", "cs": "/ColorSpace", "CS": "/ColorSpace"
}  # fmt: skip


class Face(NamedTuple):
    """A card on a page: its name and side, and its place, which takes mm of the card to mm of the page, y down.

    `window` are the corners on the page of the box that it is clipped to. `body` draws it. `letters` are its glyphs, each
    as its font and its code, and how often they stand there.
    """

    name: str
    is_back: bool
    place: Affine
    window: Points
    digest: bytes
    is_blank: bool
    inks: Collection[str]
    letters: Mapping[str, int] = MappingProxyType({})
    body: Sequence[Any] = ()


class FilePage(NamedTuple):
    """A page: its boxes in points, its rotation in degrees, its unit in points, its cards as drawn, the digest of all else.

    `is_below` tells that nothing but the page's own map comes before a card, `is_plain` that each card is drawn in the
    one way in which its place can be known.
    """

    boxes: Mapping[str, Corners]
    rotate: float
    unit: float
    faces: Sequence[Face]
    rest: bytes
    is_below: bool
    is_plain: bool
    inks: Collection[str]


class Drawing(NamedTuple):
    """What instructions add up to: a digest, whether they paint nothing, the inks of what they paint, if it overprints.

    And their letters, as of a Face.
    """

    digest: bytes
    is_blank: bool = True
    inks: Collection[str] = ()
    letters: Mapping[str, int] = MappingProxyType({})


def page_map(page: Page) -> Affine:
    """Return the map from points, y up, to mm from the top left of the media box, y down."""
    left, _, _, top = (float(value) for value in page.mediabox)
    return Affine(MM_PER_POINT, 0, 0, -MM_PER_POINT, -left * MM_PER_POINT, top * MM_PER_POINT)


def base_name(font: Object) -> str:
    """Return the name of a font without the six capitals that mark a subset (ISO 32000-1, 9.6.4)."""
    return re.sub(r"^/(?:[A-Z]{6}\+)?", "", str(font.get("/BaseFont", "/")))


class Digester:
    """Follows the contents of a file's pages, each form once.

    `fonts` are the fonts that are used, by number of object or name. `shown` are the codes of their glyphs, `meant`
    those that stand for other letters in one place, with these letters. `states` are the graphics states. `odd` is what
    our pages never hold, with the number of the first such page: with it a face may hide that nobody else shows.
    """

    def __init__(self) -> None:
        self.fonts: dict[object, Object] = {}
        self.shown: dict[object, bytearray] = {}
        self.meant: dict[object, set[tuple[bytes, bytes]]] = {}
        self.states: dict[bytes, Object] = {}
        self.odd: dict[str, int] = {}
        self._number = 0
        self._known: dict[tuple[int, int], Drawing] = {}
        self._within: dict[object, Drawing] = {}
        self._instructions = 0

    def page(self, page: Page, *, with_bodies: bool = False) -> FilePage:
        """Return what is drawn on a page."""
        self._number += 1
        resources = as_dictionary(inherited(page.obj, "/Resources"))
        properties = as_dictionary(resources.get("/Properties"))
        matrix, stack = page_map(page), list[Affine]()
        rest: list[Instruction] = []
        faces: list[Face] = []
        is_plain, before, inside, depth = True, 1, list[Instruction](), 0
        card: Object | None = None
        has_state = False
        for each in parse_content_stream(page):
            operator = str(each.operator)
            if card is not None:
                depth += (operator in ("BDC", "BMC")) - (operator == "EMC")
                if depth:
                    inside.append(each)
                    continue
                face = self._face(card, matrix, inside, resources)
                is_plain &= face is not None
                if face is not None:
                    faces.append(face if with_bodies else face._replace(body=()))
                card, before = None, len(rest)
            elif operator == "BDC" and each.operands[0] == "/Card":
                said = each.operands[1]
                card = properties.get(str(said), Dictionary()) if isinstance(said, Name) else said
                inside, depth = [], 1
                if has_state:
                    self._say("a card within what changes how it is drawn")
            else:
                rest.append(each)
                has_state |= operator == "gs"
                if operator == "q":
                    stack.append(matrix)
                elif operator == "Q" and stack:
                    matrix = stack.pop()
                elif operator == "cm":
                    matrix = matrix @ _matrix(each)
        is_plain &= card is None
        drawn = self.drawing(rest, resources)
        return FilePage(
            page_boxes(page.obj),
            as_number(inherited(page.obj, "/Rotate"), 0.0),
            as_number(page.obj.get("/UserUnit"), 1.0),
            faces,
            drawn.digest,
            before == 1,
            is_plain,
            drawn.inks,
        )

    def _face(self, card: Object, matrix: Affine, inside: list[Instruction], resources: Object) -> Face | None:
        """Return a card drawn in the one way that `kotc` has: clipped to a box, then put in its place; else None."""
        begin = [str(each.operator) for each in inside[:5]]
        if begin != ["q", "re", "W", "n", "cm"] or str(inside[-1].operator) != "Q":
            return None
        x, y, width, height = map(float, inside[1].operands)
        window = tuple(matrix.apply(*at) for at in ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))
        body, depth = inside[5:-1], 0
        for operator in (str(each.operator) for each in body):
            depth += (operator == "q") - (operator == "Q")
            if depth < 0 or (depth == 0 and operator == "cm"):  # either would change the place of what follows
                return None
        drawn = self.drawing(body, resources)
        if len(body) == 1 and str(body[0].operator) == "Do":
            # A face that is printed again is a form, which may not cut off what shows.
            form, back = _resource(resources, "/XObject", body[0]), (matrix @ _matrix(inside[4])).inverse
            inner, box = self._within.get(key_of(form)), as_corners(form.get("/BBox"))
            xs, ys = zip(*(back.apply(*corner) for corner in window), strict=True)
            if inner and box and as_matrix(form.get("/Matrix")) == IDENTITY and "/Group" not in form:
                if box[0] > min(xs) or box[1] > min(ys) or box[2] < max(xs) or box[3] < max(ys):
                    self._say("a form cuts off the card that it draws")
                else:
                    drawn = inner
        is_back = str(card.get("/Side")) == "/Back"
        return Face(str(card.get("/Name")), is_back, matrix @ _matrix(inside[4]), window, *drawn, body)

    def drawing(self, instructions: Iterable[Instruction], resources: Object, depth: int = 0) -> Drawing:
        """Return what instructions add up to. A face that is one form counts as that form."""
        steps = list(instructions)
        self._instructions += len(steps)
        if self._instructions > MAX_INSTRUCTIONS:
            raise NotReadable("Q001", "it draws more than anybody could print")
        if len(steps) == 1 and str(steps[0].operator) == "Do":
            return self.drawn(_resource(resources, "/XObject", steps[0]), depth + 1)
        summary, plain, row = hashlib.sha256(), list[Instruction](), list[str]()
        font: object = None
        name = ""
        is_blank, meaning, mode, inks, letters = True, b"", 0, set[str](), Counter[str]()
        # The colors of fills and lines, whether they overprint, and whether what is drawn next is seen through.
        fill, line, overprints, is_sheer = state = ("", "", False, False)
        saved = [state]

        def flush() -> None:
            if plain:
                summary.update(unparse_content_stream(plain))
                plain.clear()
            if row:  # it counts the same however it is cut into pieces
                summary.update("".join(row).replace("> ][ <", "").encode())
                row.clear()

        for each in steps:
            operator = str(each.operator)
            if operator not in _OPERATORS:
                self._say(f"the operator `{operator[:20]}`")
            if operator in _PAINTING:
                is_blank = False
                if operator not in ("Do", "S", "s"):
                    inks.add(f"{fill} {overprints}")
                elif operator != "Do":
                    inks.add(f"{line} {overprints}")
                if is_sheer and operator != "Do":
                    self._say("something is seen through by itself")
            if operator == "TJ":
                if plain:
                    flush()
                words = _row(each.operands[0])
                codes = bytes.fromhex("".join(_STRING.findall(words)))
                letters.update(f"{name} {codes[at : at + 2].hex()}" for at in range(0, len(codes), 2))
                self.shown.setdefault(font, bytearray()).extend(codes)
                if meaning and len(codes) > 2:
                    self._say("a text that is read as a whole")
                if meaning:
                    self.meant.setdefault(font, set()).add((codes, meaning))
                row.append(words)
                continue
            if operator == "BDC" and each.operands[0] == "/Span" and isinstance(each.operands[1], Dictionary):
                meaning = bytes(each.operands[1].get("/ActualText", b""))
                continue
            if operator == "EMC":
                meaning = b""
                continue
            if row:
                flush()
            if operator == "Do":
                flush()
                what = _resource(resources, "/XObject", each)
                if is_sheer and "/Group" not in what:
                    self._say("something is seen through by itself")
                shown = self.drawn(what, depth + 1)
                summary.update(b"Do" + shown.digest)
                inks.update(shown.inks)
                letters.update(shown.letters)
            elif operator == "Tf":
                flush()
                found = _resource(resources, "/Font", each)
                name = base_name(found)
                font = key_of(found) or name
                self.fonts[font] = found
                summary.update(f"Tf {name} {each.operands[1]}".encode())
            elif operator in _RESOURCES and each.operands and isinstance(each.operands[-1], Name):
                flush()
                held = _resource(resources, _RESOURCES[operator], each, -1)
                key = self._value(held, depth) if held else str(each.operands[-1]).encode()
                if operator == "gs":
                    self.states[key] = held
                    overprints |= is_true(held.get("/OP")) or is_true(held.get("/op"))
                    is_sheer |= as_number(held.get("/ca"), 1.0) < 1 or "/SMask" in held
                elif operator in ("CS", "SCN"):
                    line = key.hex()
                elif operator in ("cs", "scn"):
                    fill = key.hex()
                summary.update(operator.encode() + key + str(list(each.operands)[:-1]).encode())
            else:
                plain.append(each)
                if operator in ("g", "rg", "k", "sc", "scn"):
                    fill = _color(each)
                elif operator in ("G", "RG", "K", "SC", "SCN"):
                    line = _color(each)
                elif operator == "q":
                    saved.append((fill, line, overprints, is_sheer))
                elif operator == "Q" and len(saved) > 1:
                    fill, line, overprints, is_sheer = saved.pop()
                elif operator == "Tr":
                    mode = int(each.operands[0])
                elif operator == "ET" and mode:
                    self._say("text that is not seen, or outlined")
        flush()
        if "/ColorSpace" in resources:
            for space in ("/DefaultGray", "/DefaultRGB", "/DefaultCMYK"):
                summary.update(digest(resources.ColorSpace.get(space)))
        return Drawing(summary.digest(), is_blank, sorted(inks), dict(letters))

    def _value(self, what: Object, depth: int) -> bytes:
        """Return the digest of a resource; the form of a mask counts by what it draws, like any other."""
        mask = as_dictionary(as_dictionary(what).get("/SMask"))
        if "/G" not in mask:
            return digest(what)
        entries = (digest(what, ("/SMask",)), digest(mask, ("/G",)))
        return hashlib.sha256(b"".join((*entries, self.drawn(mask["/G"], depth + 1).digest))).digest()

    def drawn(self, what: Object, depth: int = 0) -> Drawing:
        """Return what a form or a picture adds up to."""
        key = key_of(what)
        if key and key in self._known:
            return self._known[key]
        if depth > MAX_DEPTH:
            raise NotReadable("Q001", "its drawings lie too deep within each other")
        if key:
            self._known[key] = Drawing(b"of itself")
        found = Drawing(b"nothing")
        if isinstance(what, Stream) and what.get("/Subtype") == Name.Form:
            if filters(what) == ["FlateDecode"]:
                zlib.decompress(what.read_raw_bytes())  # which, unlike pikepdf, says what is damaged
            inner = self.drawing(parse_content_stream(what), what.get("/Resources", Dictionary()), depth)
            self._within[key] = inner
            self._say_keys("a form", what, _OF_FORMS)
            if len(as_items(what.get("/Matrix"))) not in (0, 6):
                self._say("a map of a form that is none")
            entries = b"".join(digest(what.get(entry)) for entry in ("/BBox", "/Matrix", "/Group"))
            found = Drawing(hashlib.sha256(entries + inner.digest).digest(), *inner[1:])
        elif isinstance(what, Stream):
            self._say_keys("a picture", what, _OF_PICTURES)
            if wrong := wrong_picture(what):
                self._say(wrong)
            if "/SMask" in what:
                self.drawn(what.SMask, depth + 1)
            entries = b"".join(key.encode() + digest(what[key]) for key in sorted(what.keys()) if key != "/Length")
            found = Drawing(hashlib.sha256(entries + what.read_raw_bytes()).digest(), False)
        if key:
            self._known[key] = found
        return found

    def _say_keys(self, kind: str, what: Stream, known: frozenset[str]) -> None:
        for key in what.keys() - known:
            self._say(f"`{key[1:41]}` in {kind}")

    def _say(self, what: str) -> None:
        self.odd.setdefault(what, self._number)


_STRING = regex(r"<([0-9a-f]*)>")


def _row(row: Object) -> str:
    """Return a row of glyphs in one way of writing: strings in hexadecimal digits."""
    words = row.unparse()
    if b"(" in words:
        parts = [f"<{bytes(part).hex()}>" if isinstance(part, String) else str(part) for part in row]
        return f"[ {' '.join(parts)} ]"
    return words.decode("latin-1")


def _resource(resources: Object, kind: str, instruction: Instruction, at: int = 0) -> Object:
    held = resources.get(kind, Dictionary())
    return held.get(str(instruction.operands[at]), Dictionary()) if isinstance(held, Dictionary) else Dictionary()


def _color(instruction: Instruction) -> str:
    return f"{[round(float(value), 4) for value in instruction.operands]} {instruction.operator}"


def wrong_picture(image: Stream) -> str:
    """Return how a picture's data are others than its entries say; "" if they are these."""
    width, height = int(as_number(image.get("/Width"), 0.0)), int(as_number(image.get("/Height"), 0.0))
    channels = DEVICE.get(as_name(image.get("/ColorSpace")), 0)
    packing = filters(image)
    if packing == ["DCTDecode"]:
        data = image.read_raw_bytes()
        try:
            with Image.open(io.BytesIO(data), formats=("JPEG",)) as opened:
                is_right = (*opened.size, len(opened.getbands())) == (width, height, channels)
                is_right &= (
                    data.rfind(b"\xff\xd9") > len(data) // 2
                )  # the end (ITU T.81, B.1.1), not that of a thumbnail
        except OSError:
            is_right = False
        return "" if is_right else "a picture that is other than its entries say"
    if packing == ["FlateDecode"] and as_number(as_dictionary(image.get("/DecodeParms")).get("/Predictor"), 1.0) >= 10:
        row, length, kinds = width * channels + 1, 0, set[int]()
        for piece in inflated(image.read_raw_bytes()):
            kinds.update(piece[-length % row :: row])  # the first byte of each row is its filter
            length += len(piece)
        return "" if length == row * height and kinds <= {0, 1, 2, 3, 4} else "a picture that is cut off or damaged"
    return ""


def _matrix(instruction: Instruction) -> Affine:
    return Affine(*(float(value) for value in instruction.operands))
