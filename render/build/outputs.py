"""The outputs that a set asks for, each with its key: a digest of each thing that its bytes depend on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused
from render.base.geometry import IDENTITY, Size
from render.base.lazily import thing_of, where, with_handles
from render.base.patterns import regex
from render.base.resources import FONTS
from render.build.inputs import Inputs
from render.build.manifest import Key
from render.exports.print_files import PrintJob, SizedJob, by_size, cards_of_sheets, grid_of, split, suffixes
from render.game.cards import (
    ART,
    NO_BACK,
    GameCard,
    GameSet,
    MissingCard,
    cut_of,
    for_press,
    home_of,
    is_picture,
    on_sheets,
    published,
    shared_back,
    size_of,
    with_each_back,
)
from render.game.faces import Faces
from render.game.missing_cards import blank_faces
from render.game.registry import game_of
from render.images.inspect import PLAIN
from render.png.canvas import Canvas
from render.scene.items import Scene
from render.text.fonts import FILES

if TYPE_CHECKING:
    from render.sheets.calibration.printers import Calibration
    from render.shops.profiles import Shop

SHEETS, CHANGED, GALLERY = "sheets.pdf", "changed.pdf", "gallery.html"
_GALLERY_PARTS = ("index.html", "frame.html", "parts.html", "site.css", "site.js", "words.yaml")
GALLERY_PAGE = tuple(f"<templates>/site/{name}" for name in _GALLERY_PARTS)


class OutputKind(Enum):
    """The kind of an output; the value is its plural."""

    PNG = "PNGs"
    SHEETS = "sheets"
    CHANGED = "sheets of changed cards"
    SHOP = "files for shops"
    GALLERY = "galleries"


class Output(NamedTuple):
    """Something to make: its name, which is that of its file or folder, and the cards that it needs drawn.

    Files for a shop have the shop, with its product of the cards' size.
    """

    name: str
    kind: OutputKind
    key: Key
    cards: tuple[str, ...]
    shop: Shop | None = None


def expected_outputs(
    card_set: GameSet, sized: Sequence[SizedJob], keys: Keys, printer: Calibration | None
) -> tuple[list[Output], int]:
    """Return what a set asks for, its `sized` sheets for that printer, and the number of these sheets."""
    outputs: list[Output] = []
    if card_set.outputs.pngs:
        with_bleed = card_set.sheet.bleed_from if card_set.outputs.pngs.bleed else ""
        pixels = key_digest((canvas_of(card_set), with_bleed))
        for card in card_set.cards:
            outputs.append(Output(png_of(card.id), OutputKind.PNG, keys.picture(card, pixels), (card.id,)))
            if card.has_own_back:
                key = keys.picture(card, pixels, 1)
                outputs.append(Output(back_png_of(card.id), OutputKind.PNG, key, (card.id,)))
    number = 0
    if card_set.outputs.sheets:
        of_sheets, number = sheet_outputs(card_set, sized, keys, printer)
        outputs += of_sheets
    # Only sheets have blanks for missing cards: nobody is to order or play with these unawares.
    if not card_set.missing:
        shown, sheet = published(card_set), card_set.sheet
        printed = where(shown, lambda card: bool(card.copies))
        of_shops = sized_blanks(replace(card_set, cards=printed)) if printed and card_set.outputs.shops else []
        for name, (job, sheets_of_size, suffix) in product(card_set.outputs.shops, of_shops):
            # A shop's demands are part of the program, whose version is in the key.
            shop = _shop_for(name, sheets_of_size.card_size, are_tokens=bool(job.cut))
            options = (shop.name, sheet.bleed_from, sheets_of_size.card_size, sheet.rich_black)
            cards = [face.card for face in job.faces if face.card.copies]
            key = keys.sheets([(card, card.copies) for card in cards], options)
            outputs.append(Output(f"{shop.name}{suffix}", OutputKind.SHOP, key, tuple(card.id for card in cards), shop))
        if card_set.outputs.gallery and shown:
            with_backs = with_each_back(replace(card_set, cards=shown))
            key = keys.gallery(shown, with_backs, GALLERY_PAGE)
            outputs.append(Output(GALLERY, OutputKind.GALLERY, key, tuple(card.id for card in with_backs)))
    return outputs, number


def sized_blanks(card_set: GameSet) -> list[SizedJob]:
    """Return the cards of a set's sheets by size, with blank faces."""
    return by_size(PrintJob((card_set,), placeholders(card_set)), card_set.sheet)


def sheet_outputs(
    card_set: GameSet,
    sized: Sequence[SizedJob],
    keys: Keys,
    printer: Calibration | None,
    kind: OutputKind = OutputKind.SHEETS,
) -> tuple[list[Output], int]:
    """Return the files of the `sized` sheets of a set, and the number of these sheets."""
    made = [_sheets_of_size(each, card_set, keys, printer, kind) for each in sized]
    return [output for outputs, _ in made for output in outputs], sum(number for _, number in made)


def _sheets_of_size(
    sized: SizedJob, card_set: GameSet, keys: Keys, printer: Calibration | None, kind: OutputKind
) -> tuple[list[Output], int]:
    job, options, _ = sized
    try:
        on_sheets = cards_of_sheets(job, grid_of(job, options, printer.correction if printer else IDENTITY))
    except ValueError as error:
        if options is card_set.sheet:  # which fits
            raise
        hint = "choose larger paper, or another `size` for this kind of card in game.yaml"
        raise Refused([Diagnostic("S007", str(error), hint)]) from None
    handles = {card.id: handle for card, handle in with_handles(card_set.cards)}
    # What every sheet shows or depends on: the slug has the number of all sheets.
    of_all = key_digest((options, job.about, len(on_sheets), *job.cut))
    blanks = {card.id: (card.name, card.code, card.key) for _, card in card_set.missing}
    stem, _, ending = sized.file(Path(file_of(kind))).name.rpartition(".")
    outputs = []
    for number, part in split(len(on_sheets), options):
        copies = Counter(name for at in part for name in on_sheets[at])
        counted = [(handles[name], count) for name, count in copies.items() if name in handles]
        marked = [(at, blanks[name], copies[name]) for at, name in enumerate(copies) if name in blanks]
        for suffix in suffixes(options.backs):
            key = keys.sheets(((thing_of(handle), count) for handle, count in counted), (of_all, part.start, suffix))
            if printer:
                key["calibration"] = key_digest(tuple(printer.correction))
            if marked:
                key["blanks"] = key_digest(marked)
            outputs.append(
                Output(f"{stem}{number}{suffix}.{ending}", kind, key, tuple(name for name in copies if name in handles))
            )
    return outputs, len(on_sheets)


def changed_cards(card_set: GameSet, copies: Iterable[tuple[str, int]]) -> GameSet:
    """Return the set with only these cards, with that many copies of each."""
    number = dict(copies)
    cards = tuple(replace(card, copies=number[card.id]) for card in card_set.cards if card.id in number)
    return replace(card_set, name=f"{card_set.name}, changed cards", cards=cards, missing=())


def file_of(kind: OutputKind) -> str:
    """Return the file name of sheets, from which the names of several files are derived."""
    return CHANGED if kind is OutputKind.CHANGED else SHEETS


def png_of(card: str) -> str:
    """Return the name of the PNG of the card with that id."""
    return f"png/{card}.png"


def back_png_of(card: str) -> str:
    """Return the name of the PNG of the back of a card that has its own. No id has a dot, so none is named so."""
    return f"png/{card}.back.png"


def canvas_of(card_set: GameSet) -> Canvas:
    """Return the pixel grid of a set's PNGs."""
    pngs = card_set.outputs.pngs
    return Canvas(pngs.dpi, pngs.bleed) if pngs else Canvas(0)


def placeholders(card_set: GameSet, drawn: Mapping[str, Faces] | None = None) -> tuple[Faces, ...]:
    """Return the faces of all cards on sheets, with their copies; blank faces for cards that are not drawn."""
    known, faces = drawn or {}, list[Faces]()
    for card, handle in with_handles(on_sheets(card_set)):
        size = size_of(card, card_set.sheet.card_size)
        if isinstance(card, MissingCard):
            faces.append(blank_faces(card, size))
        elif card.id in known:
            faces.append(replace(known[card.id], handle=handle))
        else:
            blank = Scene(size, ())
            faces.append(Faces(handle, blank, None if card.back == NO_BACK else blank))
    return tuple(faces)


def _shop_for(name: str, size: Size, *, are_tokens: bool) -> Shop:
    """Return the existing print shop of that name, with its product of a size; Refused if it has none."""
    from render.shops.profiles import NoProduct, for_cards, shops

    try:
        return for_cards(shops()[name], size, are_tokens=are_tokens)
    except NoProduct as error:
        key = "no `cut`" if are_tokens else "another `size`"
        hint = f"give these cards {key} in game.yaml, or take the shop out of `outputs`"
        raise Refused([Diagnostic("F024", str(error), hint)]) from None


def printed_by_shop(card_set: GameSet, shop: Shop) -> GameSet:
    """Return the set as a shop prints it: the cards with copies that are no drafts, with no type that is too small."""
    from render.shops.profiles import is_press

    kept = replace(card_set, cards=where(published(card_set), lambda card: bool(card.copies)))
    return for_press(kept) if is_press(shop) else kept


def other_outputs(card_set: GameSet) -> list[str]:
    """Return the outputs that are neither PNGs nor sheets, in words."""
    cards = published(card_set)
    asked: Sequence[str] = card_set.outputs.shops if any(card.copies for card in cards) else ()
    return [f"files for {name}" for name in asked] + (["a gallery"] if card_set.outputs.gallery and cards else [])


# --- keys -----------------------------------------------------------------------------------------------------------

CARDS, TEMPLATES = "cards", "templates"
"""The parts of a key with a digest for each of several cards, and for each of their templates."""

ORDER = "order of the cards"
_FONT, _SET, _OPTIONS, _PICTURE = "font", "set", "options", "picture"
_OURS = frozenset({CARDS, TEMPLATES, _FONT, _SET, _OPTIONS, _PICTURE})
"""Parts of the key of a picture that are no fields of its card, though a game may have fields of these names."""

_OF_WHOLE_CARD = regex(r"\bcard\b(?!\s*\.\s*(?:face|id|kind|set|least_type)\b)")
"""What a template says that may show more of a double-faced card than one of its faces, and what both share."""

_SHORT = 40  # characters: of what is longer, no two cards have the same, so that its digest is not kept
_MAX_NAMED = 3  # cards to name in a reason; more are counted


def key_digest(value: object) -> str:
    """Return a digest of a value's `repr`: of numbers, texts and values made of these."""
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_cached_digest = cached(4096)(key_digest)  # cards share kinds, editions, credits and small numbers


class Keys:
    """Gives the keys of the outputs of one set.

    `read` are the labels of the files that each template depended on when it was last drawn. Whether they still are
    inputs is known only when it is drawn again; the caller counts them as inputs.
    """

    def __init__(self, card_set: GameSet, inputs: Inputs, read: Mapping[str, Sequence[str]], program: str) -> None:
        self._set, self._inputs, self._read = card_set, inputs, read
        self._game = game_of(card_set)
        self._fonts = key_digest([inputs.digest_of(FONTS / name) for name in sorted(FILES.values())])
        self._program = program[:16]  # 64 bits, as of all digests in keys
        shared = [self._game.shared_parts(part) for part in card_set.parts] or self._game.shared_parts(card_set)
        versions = [(each.variant.name, each.layers) for each in (card_set, *card_set.parts)]
        varied = [each for each in versions if any(each)]
        self._shape = key_digest((shared, card_set.sheet.card_size, *varied))
        self._shared: dict[tuple[str, ...], Key] = {}
        self._cards: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._sides: dict[str, str] = {}
        self._homes = {part.folder: number for number, part in enumerate(card_set.parts)}
        self._backs: dict[object, str] = {}
        self._of_one_face: dict[str, bool] = {}

    def picture(self, card: GameCard, options: str, face: int = 0) -> Key:
        """Return the key of a picture of a card's front, or of its own back, for options with that digest."""
        template = card.back if face else card.template_name
        keeps_to_it = card.has_own_back and self._keeps_to_its_face(card.own_templates[face])
        return {
            **self._parts_of(card.faces[face] if keeps_to_it else card),
            **self._common(template),
            _OPTIONS: options,
        }

    def sides(self, card: GameCard) -> str:
        """Return a digest of all that a card's scenes depend on: of its front, and of its back if that is its own."""
        if card.id not in self._sides:
            kinds = card.own_templates
            for kind in kinds:
                if kind not in self._kinds:
                    self._kinds[kind] = key_digest(self._common(kind))
            of_kinds = (self._kinds[kind] for kind in kinds)
            self._sides[card.id] = key_digest((self._whole(card), self._home(card), *of_kinds))
        return self._sides[card.id]

    def shared_back(self, card: GameCard) -> str:
        """Return a digest of all that the back depends on which a card shares with others."""
        is_file = is_picture(card.back)
        of_file = self._inputs.digest_of(home_of(card) / card.back) if is_file else ""
        key = card.back, of_file, size_of(card, self._set.sheet.card_size), cut_of(card), self._home(card)
        if key not in self._backs:
            self._backs[key] = key_digest((key, self._common() if is_file else self._common(card.back)))
        return self._backs[key]

    def _home(self, card: GameCard) -> int:
        """Return which of the sets of a deck a card is of: templates of one name may be others there."""
        return self._homes.get(home_of(card), 0)

    def sheets(self, copies: Iterable[tuple[GameCard, int]], options: object) -> Key:
        """Return the key of a file with both faces of cards, each with its number of copies, in this order."""
        templates, cards = set[str](), dict[str, str]()
        for card, count in copies:
            templates.update((card.template_name,) if is_picture(card.back) else (card.template_name, card.back))
            back = self._inputs.digest_of(home_of(card) / card.back) if is_picture(card.back) else ""
            cards[card.id] = key_digest((self._whole(card), count, card.back, back))
        return self._of_cards(cards, templates, {_OPTIONS: key_digest(options)})

    def gallery(self, cards: Sequence[GameCard], backs: Sequence[GameCard], page: Iterable[str]) -> Key:
        """Return the key of a page with what a site tells of cards, and the backs of some of them.

        `page` are the labels of its templates.
        """
        from render.exports.site_cards import cards_of

        words = dict[str, str]()
        for card in cards:  # one at a time: what is told of all of them need not be in memory
            (told,) = cards_of(self._set, [card], "", judged=False)
            words[card.id] = key_digest((told.facts, told.about, told.text, told.sides, told.terms))
        pictures = [self._inputs.digest_of(home_of(card) / card.back) for card in backs if is_picture(card.back)]
        more = {
            "backs": key_digest([[shared_back(card, self._set)[1:] for card in cards], pictures]),
            # The gallery's page is the program's own, so its files are known without drawing it.
            "page": key_digest([self._set.language, *map(self._inputs.digest, page)]),
        }
        return self._of_cards(words, {card.back for card in backs if not is_picture(card.back)}, more)

    def _of_cards(self, cards: dict[str, str], templates: Iterable[str], more: Mapping[str, str]) -> Key:
        return {
            CARDS: cards,
            ORDER: key_digest([*cards]),
            **self._common(*sorted(templates)),
            "name of the set": key_digest(self._set.name),
            **more,
        }

    def _common(self, *templates: str) -> Key:
        """Return what keys of outputs with these templates share; nobody may change it."""
        if templates not in self._shared:
            self._shared[templates] = {
                TEMPLATES: {name: self._template(name) for name in templates},
                _FONT: self._fonts,
                "program version": self._program,
                _SET: self._shape,
            }
        return self._shared[templates]

    def _template(self, name: str) -> str:
        return key_digest([name, *((label, self._inputs.peek(label)) for label in self._read.get(name, ()))])

    def _whole(self, card: GameCard) -> str:
        """Return a digest of all that tells a card from others: one alone takes a fraction of the time of one for each part."""
        if card.id not in self._cards:
            self._cards[card.id] = key_digest([*self._made_of(card)])
        return self._cards[card.id]

    def _parts_of(self, card: GameCard) -> dict[str, str]:
        """Return a digest of each of the parts by which a card may differ from what it was, by their names in messages."""
        parts = {}
        for name, value in self._made_of(card):
            digest = key_digest if isinstance(value, str) and len(value) > _SHORT else _cached_digest
            parts[name] = digest(value)
        return parts

    def _made_of(self, card: GameCard) -> Iterator[tuple[str, object]]:
        for name, value in self._game.parts(card).items():
            yield (f"field `{name}`" if name in _OURS else name), value
        if size := getattr(card.kind, "size", ""):
            yield "trim size", size
        if cut := cut_of(card):
            yield "cut", cut
        for key, picture in card.pictures.items():
            framing = "" if picture.framing == PLAIN else repr(picture.framing)
            yield (_PICTURE if key == ART else f"picture `{key}`"), self._inputs.digest_of(picture.file)[:16] + framing

    def _keeps_to_its_face(self, template: str) -> bool:
        """Return whether a template of one side shows of its card nothing but this face and what both share."""
        if template not in self._of_one_face:
            labels = [label for label in self._read.get(template, ()) if label.endswith(".svg")]
            texts = []
            for label in labels:
                with suppress(OSError):  # there is none, as in a place where one would take precedence
                    texts.append(Path(self._inputs.labels.path(label)).read_text(encoding="utf-8", errors="replace"))
            self._of_one_face[template] = bool(labels) and not any(map(_OF_WHOLE_CARD.search, texts))
        return self._of_one_face[template]


# --- why outputs are stale, in words --------------------------------------------------------------------------------


def differences(before: Key, now: Key) -> str:
    """Return how two keys differ: `text and level changed`, `thor changed, odin is new`."""
    if before == now:
        return ""
    (old, new), (known, used) = ([_nested(key, name) for key in (before, now)] for name in (CARDS, TEMPLATES))
    cards = [
        f"{_and(ids) if len(ids) <= _MAX_NAMED else f'{len(ids)} cards'} {word}"
        for word, ids in (
            ("changed", [name for name in new if name in old and new[name] != old[name]]),
            ("new", [name for name in new if name not in old]),
            ("gone", [name for name in old if name not in new]),
        )
        if ids
    ]
    # Cards that come and go change the order, too: that says nothing more.
    skipped = {CARDS, TEMPLATES, ORDER} if cards else {CARDS, TEMPLATES}
    parts = [name for name in {**now, **before} if name not in skipped and before.get(name) != now.get(name)]
    # If nothing else differs, a template was added or removed.
    if any(known.get(name, digest) != digest for name, digest in used.items()) or not (cards or parts):
        parts.append("template")
    return ", ".join([*cards, *([f"{_and(parts)} changed"] if parts else [])])


def _nested(key: Key, name: str) -> dict[str, str]:
    part = key.get(name)
    return part if isinstance(part, dict) else {}


def _and(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def explain(stale: Iterable[tuple[str, str, str]], counts: Mapping[str, int]) -> Iterator[str]:
    """Yield lines for outputs, each given as kind (`PNG`), name and reason.

    Outputs of a kind that are stale for the same reason share a line, if they are all of that kind (`counts`) or many.
    """
    by_reason = sorted(stale, key=lambda output: (output[0], output[2]))  # groupby groups neighbors only
    for (kind, reason), group in groupby(by_reason, key=lambda output: (output[0], output[2])):
        names = [name for _, name, _ in group]
        if len(names) == counts[kind] and len(names) > 1:
            yield f"all {kind}: {reason}"
        elif len(names) > _MAX_NAMED:
            yield f"{len(names)} {kind}, such as {names[0]}: {reason}"
        else:
            yield from (f"{name}: {reason}" for name in names)
