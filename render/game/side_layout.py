"""Lay out the sides of the cards of one set: what their templates see, which pictures they show, what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import inf
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, Span, did_you_mean, listed
from render.base.geometry import Size
from render.base.resources import TEMPLATES
from render.game.cards import (
    NO_BACK,
    CardPicture,
    GameCard,
    GameSet,
    cut_of,
    is_given,
    is_picture,
    key_of_face,
    place_of_back,
    place_of_key,
    place_of_layer,
    size_of,
    value_of_key,
)
from render.game.home import file_inside, home_folders
from render.game.languages import place_of_words
from render.game.registry import game_of
from render.images import inspect
from render.layout.lay_out import lay_out, validate
from render.layout.template_walk import Pictures
from render.layout.templates.template import Template, Templates
from render.scene.items import Picture, Scene, fit_scene, scale_to_fit, walk
from render.sheets.cut_shapes import cut_of_side
from render.source import nodes
from render.source.scalar_values import write_anywhere
from render.text.font_book import FontBook

_AHEAD = 32  # cards whose templates are filled in at once
ODD_SHAPE = 0.02  # nobody sees less: 63 x 88 mm and 66 x 91 mm differ from the official card by less

Result = TypeVar("Result")

Read = Mapping[str, tuple[Path, ...]]
"""The files that templates depended on, by template name."""


def picture_files(cards: Iterable[GameCard]) -> tuple[Path, ...]:
    """Return the picture files of cards, each once, in order."""
    return tuple(dict.fromkeys(picture.file for card in cards for picture in card.pictures.values()))


LayOut = Callable[[Template, Mapping[str, object], Pictures, list[Diagnostic]], Scene]


OwnSides = tuple[Scene | None, Scene | None]
"""The front of a card, and its back if that is its own; None after an error."""


class SetLayouter:
    """Lays out the cards of one set, collects findings, and keeps the shared backs already laid out."""

    def __init__(self, card_set: GameSet, lay_out: LayOut, templates: Templates | None = None) -> None:
        self.set = card_set
        self.lay_out = lay_out
        self.game = game_of(card_set)
        self.folders = home_folders(card_set, self.game.folder)
        places = [place for folder in self.folders for place in (folder / "templates", folder)]
        of_game = [] if self.game.folder else [self.game.templates]
        fonts = FontBook(self.folders, self.game.font_roles, card_set.language)
        self.templates = templates or Templates(places, [*of_game, TEMPLATES], fonts, dict(card_set.layers))
        self.findings: list[Diagnostic] = []
        self.doubts: list[Diagnostic] = []  # warnings about texts of the side laid out last
        self.backs: dict[tuple[str, Size, str], Scene | None] = {}
        self.odd: set[str] = set()
        self.odd_pages: dict[str, int] = {}  # templates whose page was told of, with the number of the card
        self.used: dict[str, set[Path]] = {}
        self.elsewhere: dict[str, dict[Path, None]] = {}  # the same of other processes; an ordered set
        self.ahead: dict[tuple[int, int], Values] = {}  # of sides that are filled in, by the card's identity

    def sides_while(
        self, cards: Sequence[GameCard], missed: Callable[[Read], Container[str]]
    ) -> Iterator[tuple[GameCard, tuple[Scene, Scene | None]]]:
        """Yield cards' own sides as long as templates are missed: first those of their own cards, then all.

        Any card's template may share the one that asks for something.
        """
        left = missed(self.read())
        for of_their_own in (True, False):
            for card in cards:
                if not left or any(name in left for name in card.own_templates) is not of_their_own:
                    continue
                front, own = self.sides(card)
                if front:
                    yield card, (front, own)
                    left = missed(self.read())

    def read(self) -> dict[str, tuple[Path, ...]]:
        """Return the files that each template has depended on so far."""
        fonts = self.templates.fonts.asked()
        read = {name: (*self.templates.files(name), *sorted(files), *fonts) for name, files in self.used.items()}
        for name, files in self.elsewhere.items():
            read[name] = (*read.get(name, ()), *files)
        return read

    def depend_on(self, read: Read) -> None:
        """Note what templates depended on in another process, which laid out other cards of the set."""
        for name, files in read.items():
            self.elsewhere.setdefault(name, {}).update(dict.fromkeys(files))

    def own_sides(self, cards: Sequence[GameCard]) -> Iterator[tuple[OwnSides, list[Diagnostic]]]:
        """Yield the sides of each card, and what is wrong or doubtful about them."""
        are_own = any(map(self.templates.has_own, {name for card in cards for name in card.own_templates}))
        if are_own:
            from render.base import guard

            guard.prepare()  # before there is a thread
        with inspect.prefetch(picture_files(cards)):
            for start in range(0, len(cards), _AHEAD):
                some = [*cards[start : start + _AHEAD]]  # which are themselves as long as their sides are filled in
                if are_own:
                    self.fill_ahead(some)
                for card in some:
                    yield self.noted(self.sides, card)
                self.ahead.clear()

    def fill_ahead(self, cards: Sequence[GameCard]) -> None:
        """Have the templates of cards filled in all at once."""
        before, self.findings = self.findings, []
        self.ahead.clear()
        for card in cards:
            try:
                artworks = {reference.field: artwork for artwork, reference in self.known(card)}
            except Refused:
                continue
            for face in range(1 + card.has_own_back):
                self.ahead[id(card), face] = self.values(card, face, artworks, self.set.least_type)
        self.findings = before
        faces = {(id(card), face): name for card in cards for face, name in enumerate(card.own_templates)}
        self.templates.fill_ahead([(faces[each], values) for each, values in self.ahead.items()])

    def values(self, card: GameCard, face: int, artworks: Mapping[str, inspect.Artwork], least_type: float) -> Values:
        """Return what the template of a side sees, for a smallest type in mm of the template."""
        shown = self.game.values(card, self.set, artworks, least_type)
        return _of_face(shown, face) if card.has_own_back else {"card": shown}

    def findings_of_sides(self, cards: Sequence[GameCard]) -> Iterator[list[Diagnostic]]:
        """Yield what is wrong or doubtful about the own sides of each card."""
        return (found for _, found in self.own_sides(cards))

    def noted(self, lay_out_sides: Callable[[GameCard], Result], card: GameCard) -> tuple[Result, list[Diagnostic]]:
        """Return what is laid out of a card, and its findings."""
        self.findings = []
        return lay_out_sides(card), self.findings

    def tried(self, lay_out_side: Callable[[GameCard], Scene], card: GameCard, face: int = 0) -> Scene | None:
        self.doubts = []
        scene, found = None, self.doubts
        try:
            scene = lay_out_side(card)
        except Refused as error:
            found = [self.placed(card, finding, face) for finding in error.findings]
        self.findings += [_at(card, self.set, _in_face(card, each, face)) for each in found]
        return scene

    def placed(self, card: GameCard, finding: Diagnostic, face: int) -> Diagnostic:
        """Return a finding of a template that is not there at the place that names it, with the files looked for."""
        if finding.code != "T001" or finding.span is not None:
            return finding
        files = self.templates.looked_for(card.own_templates[face])
        told = finding if any(map(os.path.exists, files)) else _looked_for(finding, files)
        if face == 0 and is_given(card, "template"):
            return replace(_in_yaml(told), span=place_of_key(card, "template"), card=card.id, field="template")
        # What is meant cannot be written in place of what stands there, which may be the name of the kind.
        place = self.game.place_of_template(card, face)
        return replace(told, span=place, instead="")

    def sides(self, card: GameCard) -> OwnSides:
        """Return the front of a card, and its back if that is its own; None after an error."""
        front = self.tried(partial(self.side, face=0), card)
        if not card.has_own_back:
            return front, None
        before = self.findings
        self.findings = []
        back = self.tried(partial(self.side, face=1), card, face=1)
        # What is wrong with a picture is said once, though both sides could show it.
        self.findings = [*before, *(each for each in self.findings if each not in before)]
        return front, back

    def side(self, card: GameCard, face: int) -> Scene:
        """Lay out the front or, of a card with a back of its own, the back."""
        known = self.known(card)
        artworks = {reference.field: artwork for artwork, reference in known}

        ahead = self.ahead.get((id(card), face))

        def values(least_type: float) -> Values:
            if ahead and least_type == self.set.least_type:
                return ahead
            return self.values(card, face, artworks, least_type)

        template = card.own_templates[face]
        shown = {card.pictures[each[1].field].href: each for each in known}
        return self.cut(self.laid_out(template, values, shown, card), card, face)

    def cut(self, scene: Scene, card: GameCard, face: int) -> Scene:
        """Return a side of a card with the outline that it is cut along, if it is no rectangle."""
        cut = cut_of_side(cut_of(card), self.size_of(card), scene.size, is_back=face > 0)
        return replace(scene, cut=cut) if cut else scene

    def known(self, card: GameCard) -> list[tuple[inspect.Artwork, inspect.PictureReference]]:
        """Return the pictures of a card, inspected; Refused if one cannot be drawn, after all were looked at."""
        references = {key: _reference(card, key, picture) for key, picture in card.pictures.items()}
        found = [(self.examined(card.pictures[key].file, each), each) for key, each in references.items()]
        if not all(artwork for artwork, _ in found):
            raise Refused([])  # its findings are noted already
        framings = {key: picture.framing for key, picture in card.pictures.items()}
        return [
            (replace(artwork, framing=framings[reference.field]), reference) for artwork, reference in found if artwork
        ]

    def shared_back(self, card: GameCard) -> Scene | None:
        """Return the back that cards share; None if there is none, after an error, and for a card with its own."""
        if card.has_own_back:
            return None
        back = card.back, self.size_of(card), cut_of(card)
        if back not in self.backs and card.back != NO_BACK:
            # None after an error: it is found once, not for each card with this back.
            self.backs[back] = self.tried(lambda each: self.cut(self.laid_out_back(each), each, 1), card)
        return self.backs.get(back)

    def size_of(self, card: GameCard) -> Size:
        """Return the trim size of a card."""
        return size_of(card, self.set.sheet.card_size)

    def missing_back(self, finding: Diagnostic, reference: inspect.PictureReference) -> Diagnostic:
        """Return a finding about a back at its place; in a game in YAML, with the files that it may be."""
        own = self.game.folder and finding.code == "T001" and finding.span is None
        if not own or any(map(os.path.exists, files := self.templates.looked_for(reference.name))):
            return _of_back(finding, reference)
        is_of_kotc = finding.instead.startswith("kotc/")  # a back of that game is hardly meant
        meant = f"{finding.hint} Else draw" if finding.instead and not is_of_kotc else "draw"
        hint = f"{meant} it as {listed(files, 'or')}; without a back, write `back: none`"
        from render.layout.svg.css import read_tint

        if read_tint(reference.name):
            drawn = f'<rect width="63.5" height="88.9" fill="{reference.name}"/>'
            hint = f"a back is a template, not a color: draw `{drawn}` in `{Path(files[0]).parent / 'plain.svg'}`"
            hint += ", and write `back: plain`"
        return _of_back(replace(finding, hint=hint, instead=""), reference)

    def meant_template(self, finding: Diagnostic, reference: inspect.PictureReference) -> Diagnostic:
        """Return a finding of a picture that cannot be used as a back; it may be a template, by its file."""
        name = reference.name
        template, files = name.removesuffix(".svg"), self.templates.looked_for(Path(name).stem)
        if finding.code == "A001" and any(map(os.path.exists, self.templates.looked_for(template))):
            hint = f"for the template of that name, write `back: {template}`, without `.svg`"
            return replace(finding, hint=hint, instead=template)
        if finding.code == "A001" and name == f"{template}.svg" and not finding.instead:
            drawn = Path(name).stem
            hint = f"put the picture there; or draw it as a template, `{files[0]}`, and write `back: {drawn}`"
            return replace(finding, hint=hint)
        if finding.code == "A013" and os.path.realpath(file_inside(self.folders, name)) in map(os.path.realpath, files):
            hint = f"write `back: {Path(name).stem}`"
            wrong = Diagnostic("A013", f"the picture `{name}` is a template", hint, instead=Path(name).stem)
            return wrong.at(reference.span, reference.card, reference.field)
        return finding

    def laid_out_back(self, card: GameCard) -> Scene:
        of_game = self.game.place_of_back(card)
        reference = inspect.PictureReference(card.back, place_of_back(card, self.set, of_game), card.id, "back")
        if not is_picture(card.back):
            try:
                return self.laid_out(card.back, lambda _: {}, {}, card, is_shared=True)
            except Refused as error:
                raise Refused([self.missing_back(each, reference) for each in error.findings]) from None
        artwork = self.examined(file_inside(self.folders, card.back), reference)
        if artwork is None:
            self.findings = [self.meant_template(each, reference) for each in self.findings]
            raise Refused([])
        size = self.standing(self.size_of(card), Size(artwork.width, artwork.height))
        placed = inspect.place(artwork, size.rect, inspect.COVER)
        self.check_dpi(placed, artwork, reference)
        shown = Picture(
            file=artwork.file, digest=artwork.digest, box=placed.box, crop=placed.crop, is_sheer=artwork.is_sheer
        )
        return Scene(size, (shown,))

    def standing(self, size: Size, drawn: Size) -> Size:
        """Return the size of a back: on cards that lie while the others of the set stand, it may be the same as theirs."""
        is_turned = size == self.set.sheet.card_size.sideways
        return size.sideways if is_turned and (drawn.width > drawn.height) != (size.width > size.height) else size

    def laid_out(
        self,
        name: str,
        values: Callable[[float], Values],
        known: Known,
        card: GameCard,
        *,
        is_shared: bool = False,
    ) -> Scene:
        """Lay out a template for the size of a card; pictures that are too coarse at its size become warnings.

        `values` returns the template's values for a smallest type, in mm of the template: none of this card for a back
        that cards share.
        """
        template, shown = self.templates.get(name), dict(known)
        used = self.used.setdefault(name, set())

        def picture(href: str) -> inspect.Artwork:
            if href not in shown:
                shown[href] = (
                    _picture(self.folders, href),
                    inspect.PictureReference(href, Span(file=template.file)),
                )
                # Of the template itself; the card's own picture is in `known`, and counts as a part of the card.
                used.add(shown[href][0].file)
            return shown[href][0]

        least = self.set.least_type
        # Backs that were drawn before have the size of most cards of the set, and are rectangles.
        size, usual = self.size_of(card), self.set.sheet.card_size
        is_usual = (size in (usual, usual.sideways) and not cut_of(card)) or self.lay_out is validate
        lay_out_face = self.lay_out if is_usual or not is_shared else lay_out
        scene = lay_out_face(template, values(least), picture, self.doubts)
        size = self.standing(size, scene.size) if is_shared else size
        scale = scale_to_fit(scene.size, size)
        # The smallest type is meant on paper, and the scale is known only once the template was laid out.
        if least and scale != 1:
            self.doubts.clear()
            scene = lay_out_face(template, values(least / scale), picture, self.doubts)
        of_card = "" if is_shared else card.id
        self.check_size((scene, size), template, of_card, lambda: lay_out(template, values(least / scale), picture))
        if self.templates.look_alikes:
            self.check_names()
        by_digest = {artwork.digest: (artwork, reference) for artwork, reference in shown.values()}
        for item in walk(scene.items):
            if isinstance(item, Picture):
                self.check_dpi(inspect.PicturePlacement(item.box, item.crop), *by_digest[item.digest])
        return fit_scene(scene, size)

    def check_size(self, drawn: tuple[Scene, Size], template: Template, card: str, whole: Callable[[], Scene]) -> None:
        """Warn of a drawing that has not the shape of the card: it is scaled and leaves white on two sides.

        Or that stands in a corner of a larger page, such as the A4 of a drawing program: it is scaled with that. The
        first card of the set is to tell, and cards may come in another order: `OddPages` keeps one. `whole` lays the
        same out with all its texts.
        """
        if template.name in self.odd_pages and self.numbers.get(card, inf) > self.odd_pages[template.name]:
            return
        scene, wanted = drawn
        size = scene.size
        scale = scale_to_fit(size, wanted)
        is_odd = abs(size.width * wanted.height / size.height / wanted.width - 1) > ODD_SHAPE
        if scale < _SMALLER and (small := self.small_part(scene, whole)):
            page, part = (f"{each.width:.4g} x {each.height:.4g} mm" for each in (size, small))
            on_card = f"on `{card}`, " if card else ""
            message = f"template `{template.name}`: {on_card}`<svg>` is {page}, and draws on {part} of that alone"
            hint = "make the page as large as the drawing: in Inkscape, choose Edit, Resize Page to Selection"
        elif is_odd:
            how = f"is {size}, and is scaled to {scale:.0%} on a card of {wanted}"
            message = f"template `{template.name}`: `<svg>` {how}"
            root = f'<svg width="{wanted.width:g}" height="{wanted.height:g}" ...>'
            hint = f"for the whole card, draw a `{template.name}.svg` of your own with `{root}`"
        else:
            return
        self.odd_pages[template.name] = self.numbers.get(card, len(self.numbers))
        place = Span(file=template.file)
        self.findings.append(Diagnostic(ODD_PAGE, message, hint, severity=Severity.WARNING).at(place, card=card))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each card in the set, by its id."""
        return {card.id: number for number, card in enumerate(self.set.cards)}

    def small_part(self, scene: Scene, whole: Callable[[], Scene]) -> Size | None:
        """Return the size of what a face draws on its page, if that is a small part of it; None for any other."""
        drawn = _small_part(scene)
        # A trial sets no words, which may be all that stands in the rest of the page.
        return _small_part(whole()) if drawn and self.lay_out is validate else drawn

    def lost_layers(self) -> list[Diagnostic]:
        """Return an error for each layer that is switched and that no template of the cards has."""
        if not self.set.layers or not self.set.cards:
            return []
        from render.layout.templates.lint import layer_names

        named = {name for card in self.set.cards for name in (*card.own_templates, card.back) if not is_picture(name)}
        named.update(filter(self.templates.has_own, self.templates.names()), self.game.kinds)
        known, found = layer_names(self.templates, named), list[Diagnostic]()
        for name in (name for name, _ in self.set.layers if name not in known):
            hint = did_you_mean(name, known) or "a layer is an element with that `id`, or a layer of Inkscape"
            wrong = Diagnostic("T021", f"no template of these cards has a layer `{name}`", hint)
            found.append(wrong.at(place_of_layer(self.set, name), field="layers"))
        return found

    def check_names(self) -> None:
        """Warn, once per file, of templates that are not read because of the case of their letters."""
        for file, wanted in self.templates.look_alikes.items():
            if str(file) not in self.odd:
                self.odd.add(str(file))
                differs = f"differs from `{wanted}`, which is looked for, in upper and lower case"
                message = f"the template `{file.name}` {differs}"
                problem = Diagnostic("T013", message, f"rename it to `{wanted}`", severity=Severity.WARNING)
                self.findings.append(problem.at(Span(file=file)))

    def examined(self, file: Path, reference: inspect.PictureReference) -> inspect.Artwork | None:
        """Return a picture, None if it cannot be drawn, and note what is wrong or doubtful about it."""
        inspected = inspect.inspect(file, reference)
        self.findings += map(_in_yaml, inspected.findings)
        return inspected.artwork

    def check_dpi(
        self, placed: inspect.PicturePlacement, artwork: inspect.Artwork, reference: inspect.PictureReference
    ) -> None:
        coarse = inspect.coarse(artwork, placed, reference)
        self.findings += [coarse] if coarse else []


_NO_ROOM = ("L001", "L002", "L010")  # the codes of texts that do not fit, or hang out of the card
_SMALLER = 0.7  # of the size of a template: others are drawn for about the size of the card
_SMALL_PART = 0.6  # of the width and of the height of a page: what draws on no more is drawn in a corner


def _small_part(scene: Scene) -> Size | None:
    """Return the size of what a scene draws on its page, if that is a small part of it; None for any other.

    Mostly the first item is the ground of the whole page: then no other is looked at.
    """
    from render.layout.bounds import of_item

    page, left, top, right, bottom = scene.size.rect, inf, inf, 0.0, 0.0
    for item in scene.items:
        box = of_item(item).shared(page)
        if box.width > 0 and box.height > 0:
            left, top = min(left, box.x), min(top, box.y)
            right, bottom = max(right, box.right), max(bottom, box.bottom)
        if right - left > _SMALL_PART * page.width or bottom - top > _SMALL_PART * page.height:
            return None
    return Size(right - left, bottom - top) if right else None


ODD_PAGE = "T008"


class OddPages:
    """Leaves out what is said again of the page of a template: several cards, processes and sets may tell of it."""

    def __init__(self) -> None:
        self._told: set[Span | None] = set()

    def once(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return findings without those about pages of which one came before, here or in an earlier call."""
        return [each for each in findings if each.code != ODD_PAGE or self._is_first(each.span)]

    def _is_first(self, span: Span | None) -> bool:
        is_first = span not in self._told
        self._told.add(span)
        return is_first


Values = Mapping[str, object]
"""What a template sees."""


def _of_face(card: Values, face: int) -> Values:
    """Return what the template of one of two sides sees."""
    faces = card["faces"]
    assert isinstance(faces, Sequence)  # of every card with a back of its own
    return {"card": {**card, "face": faces[face]}, "face": face}


Known = Mapping[str, tuple[inspect.Artwork, inspect.PictureReference]]
"""Pictures by the name that a template uses, and where each was named first."""


def _of_back(finding: Diagnostic, reference: inspect.PictureReference) -> Diagnostic:
    """Return a finding without a place at the place where the back is named."""
    if finding.span is not None:
        return finding
    hint = finding.hint or "a back is a picture such as `art/back.png`, a template, or `none`"
    told = replace(finding, hint=hint) if finding.code == "T001" else finding
    return replace(_in_yaml(told), span=reference.span, card=reference.card, field="back")


def _looked_for(finding: Diagnostic, files: Sequence[str]) -> Diagnostic:
    """Return a finding about a template that is none of these files, which its hint names."""
    it = "it" if not finding.hint else f"{finding.hint} It" if finding.instead else f"{finding.hint}; it"
    return replace(finding, hint=f"{it} was looked for as {listed(files, 'and')}")


def _in_yaml(finding: Diagnostic) -> Diagnostic:
    """Return the finding with a file's name as a card file writes it, where one is to be written instead."""
    return replace(finding, instead=write_anywhere(finding.instead))


def _reference(card: GameCard, key: str, picture: CardPicture) -> inspect.PictureReference:
    return inspect.PictureReference(picture.name, partial(_place_of_picture, card, key), card.id, key)


def _place_of_picture(card: GameCard, key: str) -> Span:
    is_framed = isinstance(value_of_key(card, key), nodes.Mapping)
    return place_of_key(card, f"{key}.file" if is_framed else key)


def _picture(folders: Sequence[Path], href: str) -> inspect.Artwork:
    """Return a picture that a template itself names, relative to the set's folder or its game's."""
    inspected = inspect.inspect(file_inside(folders, href), inspect.PictureReference(href))
    if inspected.artwork is None:
        raise Refused(inspected.findings)
    return inspected.artwork


def _in_face(card: GameCard, finding: Diagnostic, face: int) -> Diagnostic:
    """Return a finding about a text of a side with the key of that face, if the card itself does not give it."""
    if not card.has_own_back or not finding.field or is_given(card, finding.field):
        return finding
    of_face = key_of_face(face, finding.field)
    return replace(finding, field=of_face) if is_given(card, of_face) else finding


def _at(card: GameCard, card_set: GameSet, finding: Diagnostic) -> Diagnostic:
    """Return a layout finding at the field of the card that it concerns, or its words in the language that is printed.

    One about the template stays there.
    """
    if not finding.code.startswith("L"):
        return finding
    if not finding.field:  # it stands in the template; whether a text has room there depends on the card
        of_card = finding.code in _NO_ROOM
        version = f" as {card.variant}" if card.variant else ""
        return replace(finding, message=f"on `{card.id}`{version}, {finding.message}") if of_card else finding
    size_keys = game_of(card_set).size_keys
    if finding.code == "L001" and finding.field in size_keys:
        finding = replace(finding, hint=f"{finding.hint}, or set it smaller, with {size_keys[finding.field]}")
    place = place_of_words(card, card_set, finding.field) or place_of_key(card, finding.field)
    return replace(finding, card=card.id, span=place)
