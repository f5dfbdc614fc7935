"""What the pages of a PDF draw: each content stream followed with its matrices, forms and patterns.

The result is what the standard or the ink limit has against it, and each text, line, ground and picture with its place
on the card, to judge whether it can be printed and cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pikepdf
from pikepdf import Dictionary, Name, Stream

from render.base.findings import Problem
from render.base.geometry import IDENTITY, Affine
from render.shops.preflight.content.operations import TO_JUDGE, Content
from render.shops.preflight.content.resources import ResourceChecker
from render.shops.preflight.content.state import EVERYWHERE, NOWHERE, PageState, State
from render.shops.preflight.objects.reading import MAX_DEPTH, as_array, as_dictionary, as_numbers, key_of, unpack_stream
from render.shops.print_fitness import box_around

_MAX_KEPT = 20_000  # pieces of a form to remember: our largest form has 3,000
_MAX_NOTES = 10_000  # annotations of a page
_STEPS = 30  # of work for beginning a form, however little it draws


@dataclass(slots=True, kw_only=True)
class ContentTracer:
    """Follows the pages of one file: forms wherever they are drawn, and once those that nothing draws."""

    resources: ResourceChecker
    gathers: bool
    _under_way: list[tuple[int, int]] = field(default_factory=list)
    _followed: set[tuple[int, int]] = field(default_factory=set)
    _known: dict[tuple[int, int], tuple[Problem, ...]] = field(default_factory=dict)
    _drawn: dict[tuple[object, ...], PageState] = field(default_factory=dict)

    def follow(self, page: pikepdf.Page, number_: int, to_card: Affine) -> PageState:
        """Return what a page draws; `to_card` takes points of the page to mm from the trim's top left corner."""
        made = PageState(number=number_)
        found = page.resources if "/Resources" in page.obj or page.obj.get("/Parent") is not None else Dictionary()
        state = State(map=to_card, clip=EVERYWHERE)
        try:
            contents = page.obj.get("/Contents")
            streams = [contents] if isinstance(contents, Stream) else as_array(contents)
            # A page's contents are one stream in parts (ISO 32000-1, 7.8.2); a space keeps tokens apart.
            data = b"\n".join(self._data(each, made) for each in streams if isinstance(each, Stream))
            Content(self.resources, made, found, self._form if self.gathers else None).run(data, state)
        except pikepdf.PdfError:
            made.add(iter([Problem("F001", "what it draws is damaged")]))
        made.add(self.resources.faults(found, made.number))
        if Name.Group in page.obj:
            made.add(self.resources.of_group(page.obj.Group, found))
        self._rest(found, made, 0)
        self._laid_over(page, made)
        return made

    def _laid_over(self, page: pikepdf.Page, made: PageState) -> None:
        """Judge the appearances of annotations, which are drawn over the page."""
        for note in as_array(page.obj.get("/Annots"))[:_MAX_NOTES]:
            looks = as_dictionary(as_dictionary(note).get("/AP")).get("/N")
            # One appearance, or one for each state of a field.
            states = [looks] if isinstance(looks, Stream) else as_dictionary(looks).values()
            for stream in states:
                if isinstance(stream, Stream) and key_of(stream) not in self._followed:
                    self._stream(stream, Dictionary(), State(map=IDENTITY, clip=EVERYWHERE), made, gathers=False)
                    self._rest(stream.get("/Resources"), made, 0)

    def _data(self, stream: Stream, page: PageState) -> bytes:
        try:
            return unpack_stream(stream, self.resources.inks.effort)
        except pikepdf.PdfError:
            page.add(iter([Problem("F001", "what it draws is damaged")]))
            return b""

    def _rest(self, found: object, page: PageState, depth: int) -> None:
        """Judge forms and patterns among the resources that were not drawn."""
        if depth > MAX_DEPTH:
            return
        for stream in self.resources.streams(found):
            key = key_of(stream)
            if key is None or key in self._followed:
                page.faults.update(dict.fromkeys(self._known.get(key, ()) if key else ()))
                continue
            before = set(page.faults)
            self._stream(stream, found, State(map=IDENTITY, clip=EVERYWHERE), page, gathers=False)
            self._rest(stream.get("/Resources"), page, depth + 1)
            self._known[key] = tuple(fault for fault in page.faults if fault not in before)

    def _form(self, stream: Stream, outer: object, state: State, page: PageState) -> None:
        """Follow a form that is drawn; if it was drawn with the same place and colors before, use that result."""
        key = (key_of(stream), state.map, state.clip, *state.colors)
        if key not in self._drawn or key[0] is None:
            alone = PageState(number=page.number, grounds=page.grounds, faces=page.faces, looked_at=page.looked_at)
            self._stream(stream, outer, state, alone, gathers=True)
            # What overprints depends on the page beneath, so its result holds only here.
            if alone.overprints or len(alone.inked) > _MAX_KEPT:
                page.take(alone)
                return
            self._drawn[key] = alone
        self.resources.inks.effort.step(1 + TO_JUDGE * len(self._drawn[key].inked))
        page.take(self._drawn[key])

    def _stream(self, stream: Stream, outer: object, state: State, page: PageState, *, gathers: bool) -> None:
        """Follow a form, a pattern or a glyph, which has its own resources or uses those around it."""
        key = key_of(stream) or (-1, id(stream))
        if key in self._under_way or len(self._under_way) > MAX_DEPTH:  # a form that draws itself would never end
            return
        self.resources.inks.effort.step(_STEPS)
        self._under_way.append(key)
        self._followed.add(key)
        found = stream.get("/Resources", outer)
        inner = self._within(stream, state) if gathers else state
        follow = self._form if gathers else None
        Content(self.resources, page, found, follow).run(self._data(stream, page), inner)
        if key not in page.looked_at:
            page.looked_at.add(key)
            page.add(self.resources.faults(found, page.number))
            if "/Group" in stream:
                page.add(self.resources.of_group(stream["/Group"], found))
        self._under_way.pop()

    def _within(self, form: Stream, state: State) -> State:
        """Return the state in which a form is drawn: with its own matrix, clipped to its box (ISO 32000-1, 8.10.1)."""
        inner = state.kept()
        matrix = as_numbers(form.get("/Matrix"), 6)
        if matrix:
            inner.map = inner.map @ Affine(*matrix)
        corners = as_numbers(form.get("/BBox"), 4)
        if corners:
            inner.clip = (
                inner.seen(inner.map.box(box_around([(corners[0], corners[1]), (corners[2], corners[3])]))) or NOWHERE
            )
        return inner
