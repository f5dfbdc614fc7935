"""What the pages of a PDF are drawn with: colours, ink, pictures, fonts and transparency, forms and patterns included.

Every content stream is read operator by operator, and every resource looked at, used or not. What cannot be judged is
a fault, too: this reader may be too strict, but lets nothing pass that it has not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from render.standards import Standard

_SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}  # in inline images
_DEVICE = {"g": "DeviceGray", "rg": "DeviceRGB", "k": "DeviceCMYK"}
_WORDS = {"DeviceRGB": "RGB", "DeviceCMYK": "CMYK", "DeviceGray": "grey"}
_TINTED = {"Separation", "DeviceN"}
_EXACT = 0.01  # per cent: what four rounded operands may add up to


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong on a page: a code, what it is, and the next step."""

    code: str
    what: str
    hint: str = ""


@dataclass(slots=True)
class ContentReader:
    """Finds the faults of pages; a form that stands on many is read once."""

    standard: Standard
    ink_limit: float | None
    _known: dict[tuple[int, int], frozenset[Fault]] = field(default_factory=dict)

    def faults(self, page: pikepdf.Page) -> frozenset[Fault]:
        """Return all that is wrong with what is drawn on a page."""
        resources = page.resources
        found = set(self._operators(page.obj, resources)) | set(self._resources(resources))
        if Name.Group in page.obj:
            found |= set(self._group(page.obj.Group))
        return frozenset(found)

    def _stream(self, stream: Object, outer: Object) -> frozenset[Fault]:
        """Return the faults of a form or a pattern, which has resources of its own or uses those around it."""
        known = self._known.get(stream.objgen)
        if known is not None:
            return known
        self._known[stream.objgen] = frozenset()  # a form that draws itself has been looked at
        resources = stream.get("/Resources", outer)
        found = set(self._operators(stream, resources)) | set(self._resources(resources))
        if "/Group" in stream:
            found |= set(self._group(stream["/Group"]))
        self._known[stream.objgen] = frozenset(found)
        return self._known[stream.objgen]

    def _operators(self, stream: Object, resources: Object) -> Iterator[Fault]:
        spaces: dict[str, Object | str] = {"stroke": "DeviceGray", "fill": "DeviceGray"}
        kept: list[dict[str, Object | str]] = []
        for instruction in pikepdf.parse_content_stream(stream):
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                yield from self._inline(instruction.iimage.obj, resources)
                continue
            name, operands = str(instruction.operator), list(instruction.operands)
            target = "stroke" if name.isupper() else "fill"
            if name == "q":
                kept.append(dict(spaces))
            elif name == "Q" and kept:
                spaces = kept.pop()
            elif name.lower() in _DEVICE:
                spaces[target] = _DEVICE[name.lower()]
                yield from self._colour(_DEVICE[name.lower()], operands, f"operator `{name}`")
            elif name.lower() == "cs":
                spaces[target] = _named(operands[0], resources)
                yield from self._space(spaces[target], f"operator `{name}`")
            elif name.lower() in ("sc", "scn"):
                yield from self._colour(spaces[target], operands, f"operator `{name}`")

    def _colour(self, space: Object | str, operands: Iterable[object], where: str) -> Iterator[Fault]:
        yield from self._space(space, where)
        tints = [float(value) for value in operands if not isinstance(value, Name)]  # type: ignore[arg-type]
        yield from self._ink(_ink(space, tints), where)

    def _space(self, space: Object | str, where: str) -> Iterator[Fault]:
        for family in _families(space):
            if family not in self.standard.colours:
                what = f"colours are {_WORDS.get(family, family)}: {where}"
                yield Fault("F030", what, f"{self.standard.title} has none such: draw it in the colours of the profile")

    def _ink(self, percent: float, where: str) -> Iterator[Fault]:
        if self.ink_limit is not None and percent > self.ink_limit + _EXACT:
            yield Fault(
                "F032", f"{where} asks for {percent:.0f} % ink", f"at most {self.ink_limit:g} %, or it does not dry"
            )

    def _resources(self, resources: Object) -> Iterator[Fault]:
        for font in _entries(resources, "/Font").values():
            yield from self._font(font, resources)
        for state in _entries(resources, "/ExtGState").values():
            yield from self._state(state)
        for drawn in _entries(resources, "/XObject").values():
            kind = str(drawn.get("/Subtype", ""))
            if kind == "/Image":
                yield from self._image(drawn)
            elif kind == "/Form":
                yield from self._stream(drawn, resources)
            else:
                yield Fault("F054", "something is drawn that is neither a picture nor a form")
        for pattern in _entries(resources, "/Pattern").values():
            if isinstance(pattern, Stream):
                yield from self._stream(pattern, resources)
            else:
                yield from self._shading(pattern.get("/Shading", pattern))
        for shading in _entries(resources, "/Shading").values():
            yield from self._shading(shading)

    def _shading(self, shading: Object) -> Iterator[Fault]:
        yield from self._space(shading.get("/ColorSpace", Name.Unknown), "shading")
        if self.ink_limit is not None:
            yield Fault("F034", "the ink of a shading cannot be read", "draw the blend as a picture")

    def _inline(self, image: Object, resources: Object) -> Iterator[Fault]:
        space = image.get("/CS", image.get("/ColorSpace"))
        if space is not None:
            yield from self._space(_named(space, resources), "inline picture")
        if self.ink_limit is not None:
            yield Fault("F034", "the ink of an inline picture cannot be read", "make it an XObject")

    def _image(self, image: Object) -> Iterator[Fault]:
        if not self.standard.transparency and ("/SMask" in image or image.get("/SMaskInData", 0) != 0):
            yield Fault("F040", "a picture has a soft mask", "lay it on its ground first")
        if "/OPI" in image or "/Alternates" in image:
            yield Fault("F053", "another picture stands in for one")
        space = image.get("/ColorSpace")
        if image.get("/ImageMask", False) or space is None:
            return
        for family in _families(space):
            if family not in self.standard.colours:
                what = f"a picture is {_WORDS.get(family, family)}"
                yield Fault("F031", what, f"{self.standard.title} has none such: convert it by the profile")
        if self.ink_limit is not None:
            yield from self._ink_of_image(image, space)

    def _ink_of_image(self, image: Object, space: Object) -> Iterator[Fault]:
        plates = _plates(space)
        if plates < 2:
            return
        percent = _most_ink(image, plates)
        if percent is None:
            yield Fault("F034", "the ink of a picture cannot be read", "pack it in 8 bits without loss (Flate)")
        elif self.ink_limit is not None and percent > self.ink_limit + _EXACT:
            hint = f"at most {self.ink_limit:g} %: convert it by a profile that keeps to it"
            yield Fault("F033", f"a picture has {percent:.0f} % ink", hint)

    def _state(self, state: Object) -> Iterator[Fault]:
        if not self.standard.transparency:
            if state.get("/SMask", Name("/None")) != Name("/None"):
                yield Fault("F040", "a graphics state has a soft mask")
            if any(float(state.get(key, 1)) != 1 for key in ("/ca", "/CA")):
                yield Fault("F041", "what is drawn is not opaque")
            if str(state.get("/BM", Name.Normal)) not in ("/Normal", "/Compatible"):
                yield Fault("F041", f"colours are blended: `{state['/BM']}`")
        overprints = any(state.get(key, False) is True for key in ("/OP", "/op")) and state.get("/OPM", 0) != 1
        if overprints and self.ink_limit is not None:
            yield Fault("F034", "the ink of what overprints cannot be read: it adds to what is beneath")
        if "/TR" in state or "/HTP" in state or str(state.get("/TR2", "/Default")) != "/Default":
            yield Fault("F055", "a transfer curve or halftone changes the tones")

    def _group(self, group: Object) -> Iterator[Fault]:
        if not self.standard.transparency and str(group.get("/S", "")) == "/Transparency":
            yield Fault("F041", "a transparency group")
        if "/CS" in group:
            yield from self._space(group["/CS"], "a transparency group")

    def _font(self, font: Object, resources: Object) -> Iterator[Fault]:
        kind, name = str(font.get("/Subtype", "")), str(font.get("/BaseFont", "/?"))[1:]
        if kind == "/Type3":
            for glyph in font.get("/CharProcs", Dictionary()).values():
                yield from self._stream(glyph, font.get("/Resources", resources))
            return
        inner = list(font.get("/DescendantFonts", Array())) if kind == "/Type0" else [font]
        descriptors = [one.get("/FontDescriptor", Dictionary()) for one in inner]
        if not all(_FILES & set(descriptor.keys()) for descriptor in descriptors):
            yield Fault("F042", f"the font `{name}` is not embedded", "another one would be printed in its place")


_FILES = {"/FontFile", "/FontFile2", "/FontFile3"}


def _entries(resources: Object, kind: str) -> Mapping[str, Object]:
    """Return the resources of a kind by name, without the slash."""
    found = resources.get(kind, Dictionary())
    return {name[1:]: value for name, value in sorted(found.items())}


def _named(space: object, resources: Object) -> Object | str:
    """Return a colour space by what an operator calls it: itself, short, or one of the resources."""
    name = str(space)[1:] if isinstance(space, Name) else ""
    if name in _SHORT:
        return _SHORT[name]
    listed = _entries(resources, "/ColorSpace").get(name)
    if listed is not None:
        return listed
    return name or space  # type: ignore[return-value] # what is no name is an array


def _families(space: Object | str) -> Iterator[str]:
    """Yield what kind of colours a space has, and those of the spaces it is made of."""
    if isinstance(space, str | Name):
        yield str(space).removeprefix("/")
        return
    kind = str(space[0])[1:]
    yield kind
    base = {"Indexed": 1, "Pattern": 1, "Separation": 2, "DeviceN": 2}.get(kind)
    if base is not None and len(space) > base:
        yield from _families(space[base])


def _plates(space: Object | str) -> int:
    """Return how many inks a pixel or an operator of that space gives, as far as they add up on paper."""
    families = list(_families(space))
    if "DeviceCMYK" in families[:1]:
        return 4
    if isinstance(space, str | Name):
        return 1
    if families[0] == "ICCBased":
        return 4 if int(space[1].get("/N", 0)) == 4 else 1
    if families[0] == "DeviceN":
        return len(space[1])
    return 4 if families[0] == "Indexed" and "DeviceCMYK" in families else 1


def _ink(space: Object | str, tints: list[float]) -> float:
    """Return the sum of the inks in per cent; a tint of `All` is on every plate."""
    if not isinstance(space, str | Name) and str(space[0]) == "/Separation":
        return sum(tints) * (400 if str(space[1]) == "/All" else 100)
    return sum(tints) * 100 if _plates(space) > 1 else 0.0


def _most_ink(image: Object, plates: int) -> float | None:
    """Return the most ink on a pixel in per cent; nothing if the pixels cannot be read exactly."""
    filters = image.get("/Filter", Name.FlateDecode)
    if filters != Name.FlateDecode or image.get("/BitsPerComponent", 0) != 8 or "/Decode" in image:
        return None
    space = image["/ColorSpace"]
    if str(space[0] if isinstance(space, Array) else space) == "/Indexed":
        lookup = space[3]
        values = lookup.read_bytes() if isinstance(lookup, Stream) else bytes(lookup)
    else:
        values = image.read_bytes()
        if len(values) != int(image["/Width"]) * int(image["/Height"]) * plates:
            return None
    samples = np.frombuffer(values[: len(values) // plates * plates], np.uint8).reshape(-1, plates)
    return float(samples.sum(axis=1, dtype=np.uint16).max(initial=0)) * 100 / 255
