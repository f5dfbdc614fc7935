"""The faces of a card: its values for the template, its picture, and the scenes made from them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from render.base.findings import Finding, Problem, Refused, Severity, Span, has_errors
from render.base.forking import Work, map_in_two_processes
from render.base.geometry import Size
from render.base.resources import TEMPLATES
from render.game.cards import (
    NO_BACK,
    CardPicture,
    GameCard,
    GameSet,
    home_of,
    homes,
    is_picture,
    place_of_back,
    place_of_key,
)
from render.game.home import file_inside, home_folders
from render.game.registry import game_of
from render.images import inspect
from render.layout.lay_out import FacePart, Pictures, lay_out, lay_out_parts, validate
from render.layout.templates.rendering import Template, Templates
from render.scene.items import Picture, Scene, fit_scene, scale_to_fit, walk
from render.source.scalar_writing import write_anywhere
from render.text.font_book import FontBook

ODD_SHAPE = 0.02  # nobody sees less: 63 x 88 mm and 66 x 91 mm differ from the official card by less


@dataclass(frozen=True, slots=True)
class Faces:
    """A card with its two faces, or without a back. Cards with the same back share one scene, which is drawn once."""

    card: GameCard
    front: Scene
    back: Scene | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The faces of a set's cards in order, and the warnings about them."""

    faces: tuple[Faces, ...]
    findings: tuple[Finding, ...]


def lay_out_set(card_set: GameSet) -> Drawn:
    """Lay out every card of a set; Refused with all errors and warnings of all cards."""
    drawn = _drawn(card_set)
    if has_errors(drawn.findings):
        raise Refused(drawn.findings)
    return drawn


def lay_out_valid(card_set: GameSet) -> tuple[Faces, ...]:
    """Lay out every card of a set, and leave out cards with an error."""
    return _drawn(card_set).faces


def _drawn(card_set: GameSet) -> Drawn:
    """Lay out every card of a set or a deck; after an error on one side, the other side is still checked."""
    if not card_set.parts:
        return _drawn_set(card_set)
    drawn = [_drawn_set(part) for part in homes(card_set)]
    faces = {_key(each.card): each for part in drawn for each in part.faces}
    ordered = tuple(faces[_key(card)] for card in card_set.cards if _key(card) in faces)
    return Drawn(ordered, tuple(finding for part in drawn for finding in part.findings))


def _key(card: GameCard) -> tuple[Path, str]:
    """Return what tells a card of a deck from all others: cards of two sets may have one id."""
    return home_of(card), card.id


def _drawn_set(card_set: GameSet) -> Drawn:
    layouter = _SetLayouter(card_set, lay_out)
    faces: list[Faces] = []
    found: list[Finding] = []
    drawn = _in_two_processes(layouter.own_sides, card_set.cards)
    for card, ((front, own), of_own) in zip(card_set.cards, drawn, strict=True):
        back, of_back = (own, []) if card.has_own_back else layouter.noted(layouter.shared_back, card)
        found += [*of_own, *of_back]
        if front and (back or card.back == NO_BACK):
            faces.append(Faces(card, front, back))
    return Drawn(tuple(faces), tuple(card_set.codes.of_files(found)))


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The result of laying out some cards of a set: their faces by id, all shared backs by name, and the warnings.

    `doubtful` are the cards that gave a warning. `read` are the files that each template, by name, depended on: its
    own, those it asks for, the pictures that it names, and places where another template would take precedence.
    """

    faces: Mapping[str, Faces]
    backs: Mapping[str, Scene]
    findings: tuple[Finding, ...]
    doubtful: tuple[str, ...]
    read: Mapping[str, tuple[Path, ...]]


Read = Mapping[str, tuple[Path, ...]]
"""The files that templates depended on, by template name."""


def redraw(
    card_set: GameSet,
    ids: Container[str],
    others: Container[str] = (),
    missed: Callable[[Read], Container[str]] = lambda _: (),
) -> Redrawn:
    """Lay out the cards with these ids, and every shared back; Refused with all errors of all of them.

    `others` are laid out too, one by one, as long as templates are `missed`, which asked for more files before than
    now. In a deck, no two cards have one id.
    """
    if not card_set.parts:
        return _redrawn_set(card_set, ids, others, missed)
    drawn: list[Redrawn] = []
    findings: list[Finding] = []
    for part in homes(card_set):
        try:
            drawn.append(_redrawn_set(part, ids, others, missed))
        except Refused as refused:  # the other sets are laid out all the same
            findings += refused.findings
    if findings:
        raise Refused([*(each for part in drawn for each in part.findings), *findings])
    return _together(drawn)


def _together(drawn: Sequence[Redrawn]) -> Redrawn:
    """Return the parts of a deck as one; templates of one name depend on the files of all of them."""
    read: dict[str, tuple[Path, ...]] = {}
    for part in drawn:
        for name, files in part.read.items():
            read[name] = (*read.get(name, ()), *files)
    return Redrawn(
        {name: face for part in drawn for name, face in part.faces.items()},
        {name: back for part in drawn for name, back in part.backs.items()},
        tuple(finding for part in drawn for finding in part.findings),
        tuple(name for part in drawn for name in part.doubtful),
        read,
    )


def _redrawn_set(
    card_set: GameSet, ids: Container[str], others: Container[str], missed: Callable[[Read], Container[str]]
) -> Redrawn:
    layouter = _SetLayouter(card_set, lay_out)
    faces: dict[str, Faces] = {}
    doubtful = []
    with inspect.prefetch(_picture_files(card for card in card_set.cards if card.id in ids)):
        for card in card_set.cards:
            before = len(layouter.findings)
            front, own = layouter.sides(card) if card.id in ids else (None, None)
            back = own if card.has_own_back else layouter.shared_back(card)
            if front:
                faces[card.id] = Faces(card, front, back)
            doubtful += [card.id] if len(layouter.findings) > before else []
    waiting = [card for card in card_set.cards if card.id in others and card.id not in ids]
    for card, (front, own) in layouter.sides_while(waiting, missed):
        faces[card.id] = Faces(card, front, own if card.has_own_back else layouter.shared_back(card))
    if has_errors(layouter.findings):
        raise Refused(layouter.findings)
    backs = {name: back for name, back in layouter.backs.items() if back}
    said = card_set.codes.of_files(layouter.findings)
    return Redrawn(faces, backs, tuple(said), tuple(doubtful), layouter.read())


class CardFaces:
    """Lays out single cards of a set whenever asked, and keeps templates and backs for the next ones.

    It stays right as long as templates and everything in `set.yaml` but the cards stay as they are.
    """

    def __init__(self, card_set: GameSet) -> None:
        self._layouter = _SetLayouter(card_set, lay_out)
        self._of_backs: dict[str, list[Finding]] = {}

    def faces(self, card: GameCard) -> tuple[Faces | None, list[Finding]]:
        """Return the faces of a card, None if they cannot be drawn, and what is wrong or doubtful about them."""
        layouter = self._layouter
        (front, back), found = layouter.noted(layouter.sides, card)
        if not card.has_own_back:
            back, of_back = layouter.noted(layouter.shared_back, card)
            found = [*found, *self._of_backs.setdefault(card.back, of_back)]
        return (Faces(card, front, back) if front and (back or card.back == NO_BACK) else None), found

    def parts(self, card: GameCard) -> tuple[Size, list[FacePart]]:
        """Return the size of the card's template, and what each of its elements drew; Refused as in `lay_out_set`."""
        listed: list[tuple[Size, list[FacePart]]] = []

        def list_parts(template: Template, values: Values, pictures: Pictures) -> Scene:
            listed.append(lay_out_parts(template, values, pictures))
            return Scene(listed[-1][0], ())

        _SetLayouter(self._layouter.set, list_parts, self._layouter.templates).front(card)
        return listed[-1]

    def read(self) -> frozenset[Path]:
        """Return the files that templates depended on so far: their own, and pictures that they name."""
        return frozenset(file for files in self._layouter.read().values() for file in files)


class SoundFronts(Protocol):
    """Remembers the cards of a set whose own sides gave no finding, for whoever checks it again and again."""

    def has(self, card: GameCard) -> bool:
        """Return whether the sides of such a card gave no finding; they are not checked again."""

    def add(self, card: GameCard) -> None:
        """Remember a card whose sides gave no finding."""


def findings(card_set: GameSet, sound: Callable[[GameSet], SoundFronts] | None = None) -> list[Finding]:
    """Return all errors and warnings that drawing the cards of a set or a deck would give, without drawing them.

    Flawed cards are tried, too, without what is wrong with them. `sound` gives what is remembered of a set.
    """
    return [finding for part in homes(card_set) for finding in _findings_in(part, sound(part) if sound else None)]


def _findings_in(card_set: GameSet, sound: SoundFronts | None) -> list[Finding]:
    layouter = _SetLayouter(card_set, validate)
    found: list[Finding] = []
    cards = (*card_set.cards, *(each.card for each in card_set.flawed))
    if sound is not None:
        for card in cards:
            of_own = [] if sound.has(card) else layouter.noted(layouter.sides, card)[1]
            # What is odd about a template is said once, with its first card, which may be another one next time.
            if not of_own and not layouter.odd:
                sound.add(card)
            found += [*of_own, *layouter.noted(layouter.shared_back, card)[1]]
        return card_set.codes.of_files(found)
    for card, of_own in zip(cards, _in_two_processes(layouter.findings_of_sides, cards), strict=True):
        found += [*of_own, *layouter.noted(layouter.shared_back, card)[1]]
    return card_set.codes.of_files(found)


Result = TypeVar("Result")


def _in_two_processes(work: Work[GameCard, Result], cards: Sequence[GameCard]) -> list[Result]:
    """Return what `work` makes of each card, in order; two processes work on many cards.

    Cards with the same picture go to the same process, so that each picture is decoded once.
    """
    order = sorted(range(len(cards)), key=lambda number: cards[number].main_picture)
    made = dict(zip(order, map_in_two_processes(work, [cards[number] for number in order]), strict=True))
    return [made[number] for number in range(len(cards))]


def _picture_files(cards: Iterable[GameCard]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(picture.file for card in cards for picture in card.pictures.values()))


LayOut = Callable[[Template, Mapping[str, object], Pictures], Scene]


OwnSides = tuple[Scene | None, Scene | None]
"""The front of a card, and its back if that is its own; None after an error."""


class _SetLayouter:
    """Lays out the cards of one set, collects findings, and keeps the shared backs already laid out."""

    def __init__(self, card_set: GameSet, lay_out: LayOut, templates: Templates | None = None) -> None:
        self.set = card_set
        self.lay_out = lay_out
        self.game = game_of(card_set)
        self.folders = home_folders(card_set, self.game.folder)
        places = [place for folder in self.folders for place in (folder / "templates", folder)]
        of_game = [] if self.game.folder else [self.game.templates]
        fonts = FontBook(self.folders, self.game.font_roles)
        self.templates = templates or Templates(places, [*of_game, TEMPLATES], fonts=fonts)
        self.findings: list[Finding] = []
        self.backs: dict[str, Scene | None] = {}
        self.odd: set[str] = set()
        self.used: dict[str, set[Path]] = {}

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
        return {name: (*self.templates.files(name), *sorted(files), *fonts) for name, files in self.used.items()}

    def own_sides(self, cards: Sequence[GameCard]) -> Iterator[tuple[OwnSides, list[Finding]]]:
        """Yield the sides of each card, and what is wrong or doubtful about them."""
        with inspect.prefetch(_picture_files(cards)):
            for card in cards:
                yield self.noted(self.sides, card)

    def findings_of_sides(self, cards: Sequence[GameCard]) -> Iterator[list[Finding]]:
        """Yield what is wrong or doubtful about the own sides of each card."""
        return (found for _, found in self.own_sides(cards))

    def noted(self, lay_out_sides: Callable[[GameCard], Result], card: GameCard) -> tuple[Result, list[Finding]]:
        """Return what is laid out of a card, and its findings."""
        self.findings = []
        return lay_out_sides(card), self.findings

    def tried(self, lay_out_side: Callable[[GameCard], Scene], card: GameCard) -> Scene | None:
        try:
            return lay_out_side(card)
        except Refused as error:
            self.findings += [_at(card, finding, self.game.size_keys) for finding in error.findings]
            return None

    def sides(self, card: GameCard) -> OwnSides:
        """Return the front of a card, and its back if that is its own; None after an error."""
        front = self.tried(self.front, card)
        if not card.has_own_back:
            return front, None
        before = self.findings
        self.findings = []
        back = self.tried(self.own_back, card)
        # What is wrong with a picture is said once, though both sides could show it.
        self.findings = [*before, *(each for each in self.findings if each not in before)]
        return front, back

    def front(self, card: GameCard) -> Scene:
        return self.side(card, 0)

    def own_back(self, card: GameCard) -> Scene:
        return self.side(card, 1)

    def side(self, card: GameCard, face: int) -> Scene:
        """Lay out the front or, of a card with a back of its own, the back."""
        known = self.known(card)
        artworks = {reference.field: artwork for artwork, reference in known}

        def values(least_type: float) -> Values:
            shown = self.game.values(card, self.set, artworks, least_type)
            return _of_face(shown, face) if card.has_own_back else {"card": shown}

        template = card.own_templates[face]
        return self.laid_out(template, values, {each[1].name: each for each in known})

    def known(self, card: GameCard) -> list[tuple[inspect.Artwork, inspect.PictureReference]]:
        """Return the pictures of a card, inspected; Refused if one cannot be drawn, after all were looked at."""
        references = {key: _reference(card, key, picture) for key, picture in card.pictures.items()}
        found = [(self.examined(card.pictures[key].file, each), each) for key, each in references.items()]
        if not all(artwork for artwork, _ in found):
            raise Refused([])  # its findings are noted already
        return [(artwork, reference) for artwork, reference in found if artwork]

    def shared_back(self, card: GameCard) -> Scene | None:
        """Return the back that cards share; None if there is none, after an error, and for a card with its own."""
        if card.has_own_back:
            return None
        if card.back not in self.backs and card.back != NO_BACK:
            # None after an error: it is found once, not for each card with this back.
            self.backs[card.back] = self.tried(self.laid_out_back, card)
        return self.backs.get(card.back)

    def laid_out_back(self, card: GameCard) -> Scene:
        reference = inspect.PictureReference(card.back, place_of_back(card, self.set), card.id, "back")
        if not is_picture(card.back):
            try:
                return self.laid_out(card.back, lambda _: {}, {})
            except Refused as error:
                raise Refused([_of_back(finding, reference) for finding in error.findings]) from None
        artwork = self.inspected(file_inside(self.folders, card.back), reference)
        size = self.set.sheet.card_size
        placed = inspect.place(artwork, size.rect, inspect.COVER)
        self.check_dpi(placed, artwork, reference)
        return Scene(size, (Picture(file=artwork.file, digest=artwork.digest, box=placed.box, crop=placed.crop),))

    def laid_out(self, name: str, values: Callable[[float], Values], known: Known) -> Scene:
        """Lay out a template; pictures that are too coarse at its size become warnings.

        `values` returns the template's values for a smallest type, in mm of the template.
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
        scene = self.lay_out(template, values(least), picture)
        scale = scale_to_fit(scene.size, self.set.sheet.card_size)
        # The smallest type is meant on paper, and the scale is known only once the template was laid out.
        if least and scale != 1:
            scene = self.lay_out(template, values(least / scale), picture)
        self.check_size(scene, template)
        by_digest = {artwork.digest: (artwork, reference) for artwork, reference in shown.values()}
        for item in walk(scene.items):
            if isinstance(item, Picture):
                self.check_dpi(inspect.PicturePlacement(item.box, item.crop), *by_digest[item.digest])
        return fit_scene(scene, self.set.sheet.card_size)

    def check_size(self, scene: Scene, template: Template) -> None:
        """Warn, once per template, if its shape is not the card's: it is scaled and leaves white on two sides."""
        size, card = scene.size, self.set.sheet.card_size
        if template.name in self.odd or abs(size.width * card.height / size.height / card.width - 1) <= ODD_SHAPE:
            return
        self.odd.add(template.name)
        scale = scale_to_fit(size, card)
        found, wanted = (f"{each.width:g} x {each.height:g} mm" for each in (size, card))
        message = f"template `{template.name}`: `<svg>` is {found}, and is scaled to {scale:.0%} on a card of {wanted}"
        root = f'<svg width="{card.width:g}" height="{card.height:g}" ...>'
        hint = f"for the whole card, draw a `{template.name}.svg` of your own with `{root}`"
        self.findings.append(Problem("T008", message, hint, severity=Severity.WARNING).at(Span(file=template.file)))

    def inspected(self, file: Path, reference: inspect.PictureReference) -> inspect.Artwork:
        artwork = self.examined(file, reference)
        if artwork is None:
            raise Refused([])  # its findings are noted already
        return artwork

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


Values = Mapping[str, object]
"""What a template sees."""


def _of_face(card: Values, face: int) -> Values:
    """Return what the template of one of two sides sees."""
    faces = card["faces"]
    assert isinstance(faces, Sequence)  # of every card with a back of its own
    return {"card": {**card, "face": faces[face]}, "face": face}


Known = Mapping[str, tuple[inspect.Artwork, inspect.PictureReference]]
"""Pictures by the name that a template uses, and where each was named first."""


def _of_back(finding: Finding, reference: inspect.PictureReference) -> Finding:
    """Return a finding without a place at the place where the back is named."""
    if finding.span is not None:
        return finding
    hint = finding.hint or "a back is a picture such as `art/back.png`, a template, or `none`"
    told = finding.saying(hint=hint) if finding.code == "T001" else finding
    return replace(_in_yaml(told), span=reference.span, card=reference.card, field="back")


def _in_yaml(finding: Finding) -> Finding:
    """Return the finding with a file's name as a card file writes it, where one is to be written instead."""
    return replace(finding, problem=replace(finding.problem, instead=write_anywhere(finding.instead)))


def _reference(card: GameCard, key: str, picture: CardPicture) -> inspect.PictureReference:
    return inspect.PictureReference(picture.name, place_of_key(card, key), card.id, key)


def _picture(folders: Sequence[Path], href: str) -> inspect.Artwork:
    """Return a picture that a template itself names, relative to the set's folder or its game's."""
    inspected = inspect.inspect(file_inside(folders, href), inspect.PictureReference(href))
    if inspected.artwork is None:
        raise Refused(inspected.findings)
    return inspected.artwork


def _at(card: GameCard, finding: Finding, size_keys: Mapping[str, str]) -> Finding:
    """Return a layout finding at the field of the card that it concerns; one about the template stays there."""
    if not finding.code.startswith("L") or not finding.field:
        return finding
    if finding.code == "L001" and finding.field in size_keys:
        finding = finding.saying(hint=f"{finding.hint}, or set it smaller, with {size_keys[finding.field]}")
    return replace(finding, card=card.id, span=place_of_key(card, finding.field))
