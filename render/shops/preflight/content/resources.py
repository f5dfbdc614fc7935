"""The resources of pages, forms and patterns: states, pictures, fonts, blends and groups, each judged once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pikepdf import Dictionary, Name, Object, Stream

from render.base.findings import Problem
from render.shops.preflight.content import fonts
from render.shops.preflight.content.fonts import UsedFont
from render.shops.preflight.objects.inks import Inks
from render.shops.preflight.objects.pictures import PictureReader
from render.shops.preflight.objects.reading import (
    MAX_DEPTH,
    as_array,
    as_dictionary,
    as_entries,
    as_integer,
    as_name,
    as_number,
    key_of,
)
from render.shops.preflight.objects.spaces import space

CALLED = {
    "/ExtGState": "graphics state",
    "/Font": "font",
    "/Pattern": "pattern",
    "/Shading": "shading",
    "/XObject": "form or picture",
}
"""Words for the kinds of resources that a content stream can name."""

# All operators of content streams (ISO 32000-1, annex A).
OPERATORS = frozenset(
    "b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG"
    " rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"".split()
)
# Rendering intents (table 70) and blend modes (11.3.5).
_INTENTS = ("RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation")
_BLENDS = frozenset(
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference"
    " Exclusion Hue Saturation Color Luminosity".split()
)


@dataclass(slots=True)
class ResourceChecker:
    """Finds the faults of resources. One that is used in several places is judged once and reported on each page."""

    inks: Inks
    fonts: dict[tuple[int, int], UsedFont] = field(default_factory=dict)
    _known: dict[tuple[int, int], tuple[Problem, ...]] = field(default_factory=dict)
    _pictures: PictureReader = field(init=False)

    def __post_init__(self) -> None:
        self._pictures = PictureReader(self.inks.standard, self.inks, self.inks.effort)

    def faults(self, resources: object, page: int) -> Iterator[Problem]:
        """Yield what is wrong with all resources, used or not."""
        said = as_dictionary(resources)
        for _, font in fonts.listed(said):
            self.font(font, page)
        for _, state in as_entries(said.get("/ExtGState")):
            yield from self.of_state(as_dictionary(state))
        for name in ("DefaultGray", "DefaultRGB", "DefaultCMYK"):
            default = as_dictionary(said.get("/ColorSpace")).get(f"/{name}")
            if default is not None:
                yield from self.inks.of_space(space(default, Dictionary()), f"`{name}`")
        for _, drawn in as_entries(said.get("/XObject")):
            yield from self._once(drawn, self._of_drawn(drawn, said))
        for _, pattern in as_entries(said.get("/Pattern")):
            if not isinstance(pattern, Stream):
                blend = as_dictionary(pattern).get("/Shading")
                yield from self._once(blend, self.inks.of_shading(blend, said))
                yield from self.of_state(as_dictionary(as_dictionary(pattern).get("/ExtGState")))
        for _, blend in as_entries(said.get("/Shading")):
            yield from self._once(blend, self.inks.of_shading(blend, said))

    def _once(self, thing: object, found: Iterator[Problem]) -> Iterator[Problem]:
        key = key_of(thing)
        if key is None:
            yield from found
            return
        if key not in self._known:
            self._known[key] = tuple(found)
        yield from self._known[key]

    def _of_drawn(self, drawn: Object, resources: object) -> Iterator[Problem]:
        """Judge an XObject: ISO 15930-4, 6.10; ISO 15930-7, 6.14; ISO 19005-2, 6.2.9."""
        kind = as_name(as_dictionary(drawn).get("/Subtype"))
        if not isinstance(drawn, Stream) or kind not in ("Image", "Form"):
            yield Problem("F052", "something is drawn that is neither a picture nor a form")
        elif kind == "Image":
            yield from self._pictures.faults(drawn, resources)
        else:
            if as_name(drawn.get("/Subtype2")) == "PS" or "/PS" in drawn:
                yield Problem("F052", "a form holds PostScript")
            if "/OPI" in drawn:  # a picture that a prepress server exchanges (ISO 32000-1, 14.11.7)
                yield Problem("F052", "another picture stands in for one")

    def streams(self, resources: object, depth: int = 0) -> Iterator[Stream]:
        """Yield forms, pattern tiles, glyphs and masks among resources: everything with a content stream of its own."""
        said = as_dictionary(resources)
        if depth > MAX_DEPTH:
            return
        for kind in ("/XObject", "/Pattern"):
            for _, each in as_entries(said.get(kind)):
                if isinstance(each, Stream) and (kind == "/Pattern" or as_name(each.get("/Subtype")) == "Form"):
                    yield each
        for _, font in fonts.listed(said):
            if as_name(as_dictionary(font).get("/Subtype")) == "Type3":
                for _, glyph in as_entries(as_dictionary(font).get("/CharProcs")):
                    if isinstance(glyph, Stream):
                        yield glyph
                yield from self.streams(as_dictionary(font).get("/Resources"), depth + 1)
        for _, state in as_entries(said.get("/ExtGState")):
            group = as_dictionary(as_dictionary(state).get("/SMask")).get("/G")
            if isinstance(group, Stream):
                yield group

    def font(self, font: Object | None, page: int) -> UsedFont | None:
        """Return a font of the file, the same one for the same object; None for anything else."""
        if not isinstance(font, Dictionary):
            return None
        key = key_of(font) or (-1, id(font))
        if key not in self.fonts:
            self.fonts[key] = fonts.read(font, self.inks.effort)
        self.fonts[key].pages.setdefault(page, None)
        return self.fonts[key]

    def of_state(self, state: Dictionary) -> Iterator[Problem]:
        """Judge a graphics state: ISO 15930-4, 6.9, 6.16; ISO 15930-7, 6.13; ISO 19005-2, 6.2.5, 6.2.10."""
        standard = self.inks.standard
        blends = [as_name(each) for each in as_array(state.get("/BM"))] or [as_name(state.get("/BM", Name.Normal))]
        if not standard.transparency:
            if state.get("/SMask", Name("/None")) != Name("/None"):
                yield Problem("F041", "a graphics state has a soft mask")
            if any(as_number(state.get(key, 1), 1.0) != 1 for key in ("/ca", "/CA")):  # opacity of fills and of lines
                yield Problem("F041", "what is drawn is not opaque")
            if any(blend not in ("Normal", "Compatible") for blend in blends):
                yield Problem("F041", f"colors are blended: `{blends[0]}`")
        elif any(blend not in _BLENDS for blend in blends):
            yield Problem("F041", f"colors are blended as PDF does not: `{blends[0]}`")
        if "/TR" in state or "/HTP" in state or as_name(state.get("/TR2", Name.Default)) != "Default":
            yield Problem("F052", "a transfer curve or halftone changes the tones")
        yield from self._of_halftone(state.get("/HT"))
        if "/RI" in state:
            yield from self.of_intent(as_name(state["/RI"]))

    def _of_halftone(self, halftone: object) -> Iterator[Problem]:
        said = as_dictionary(halftone)
        parts = [said, *(as_dictionary(each) for _, each in as_entries(said) if isinstance(each, Dictionary | Stream))]
        if any("/TransferFunction" in each for each in parts):
            yield Problem("F052", "a halftone has a transfer curve")
        if said and (as_integer(said.get("/HalftoneType")) not in (1, 5) or "/HalftoneName" in said):
            yield Problem("F052", "a halftone is of a kind that the standard does not have")

    def of_intent(self, intent: str) -> Iterator[Problem]:
        """Judge a rendering intent: ISO 15930-7, 6.23; ISO 19005-2, 6.2.6."""
        if intent not in _INTENTS:
            yield Problem("F052", f"the rendering intent is none: `{intent}`")

    def of_group(self, group: object, resources: object) -> Iterator[Problem]:
        """Judge a group (ISO 15930-4, 6.16): a transparency group is transparent, whatever is in it."""
        said = as_dictionary(group)
        if not self.inks.standard.transparency and as_name(said.get("/S")) == "Transparency":
            yield Problem("F041", "a transparency group")
        if "/CS" in said:
            yield from self.inks.of_space(space(said["/CS"], resources), "a transparency group")
