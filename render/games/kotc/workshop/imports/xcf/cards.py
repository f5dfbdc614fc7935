"""A card of a GIMP file of the game's authors: its visible layers are the keys of a card file."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from render.base import guard
from render.base.findings import Refused, listed, quoted, reason
from render.base.limits import TO_READ_GIMP
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files.keys import NO_EDITION
from render.games.kotc.model import ability
from render.games.kotc.model.cards import Kind
from render.games.kotc.workshop.imports.imported import ImportedCard, Value, one_line
from render.games.kotc.workshop.imports.xcf.layers import (
    KnownLayers,
    cut_picture,
    known_layers,
    window,
    with_the_picture,
    with_the_texts,
)
from render.games.kotc.workshop.imports.xcf.texts import (
    XcfNotes,
    attribution,
    compare_reds,
    credit_font_key,
    edition_of,
    name_look,
    note_faces,
    note_looks,
    note_places,
    note_setting,
    note_sizes,
    numbers,
    read_texts,
    words,
)
from render.images.xcf.reading import (
    NEWEST,
    NORMAL,
    PASS_THROUGH,
    BrokenXcf,
    Extent,
    XcfImage,
    XcfLayer,
    mode_name,
    read_xcf,
)

_ON_CARD = ("text", "flavor", "name", "credit")


def read_xcf_card(file: Path, data: bytes) -> ImportedCard:
    """Return the card of a GIMP file, which a worker reads; Refused if the file is broken, or no card."""
    name = os.fsencode(file).decode("utf-8", "replace")
    try:
        card: ImportedCard = guard.run(card_of_xcf, name, data, limits=TO_READ_GIMP, gives=ImportedCard)
    except guard.TooMuchError as error:
        what = f"takes more than {TO_READ_GIMP} to be read: too much {error.what}"
        raise XcfNotes(file).refuse("X004", what, "merge or remove layers that the card does not need") from None
    except guard.WorkFailedError as error:
        raise XcfNotes(file).refuse("X006", f"cannot be read: {reason(str(error))}", "save it again in GIMP") from None
    return replace(card, source=file)


def card_of_xcf(file: str, data: bytes) -> ImportedCard:
    """Return the card of a GIMP file that may take any time; Refused as above."""
    notes = XcfNotes(Path(file))
    try:
        return _card(read_xcf(data), notes)
    except BrokenXcf as broken:
        raise Refused([broken.finding(notes.file)]) from None


def _card(image: XcfImage, notes: XcfNotes) -> ImportedCard:
    layers = known_layers(image)
    kind, place = _kind(image, layers, notes)
    layers, by_place = with_the_texts(layers, place)
    if by_place:
        names = listed([layer.name for layer in by_place], "and")
        notes.warn("X032", f"by its place, {names} became text of the card", "name it as the template does")
    texts = read_texts(image, layers, notes)
    name = one_line(texts["name"].text.text) if "name" in texts else ""
    if not name:
        raise notes.refuse("X013", "has no visible text layer `Name`", "name the layer that holds the card's name")
    edition = edition_of(texts, notes)
    if edition and kind in (Kind.CREATURE, Kind.MINION):  # a template may have kept the name of another edition
        kind = Kind.CREATURE if usual_grammar(edition).of_creatures else Kind.MINION
    layers, adopted = with_the_picture(image, layers, window(place))
    if adopted:
        names = listed([layer.name for layer in adopted], "and")
        hint = "name the picture's layer `Image`, and hide what is not to be in it"
        notes.warn("X032", f"in the box for the picture, {names} became part of it", hint)
    picture, art = _picture(image, layers, place, notes)
    values: dict[str, Value] = {
        "name": name,
        **name_look(texts, place, notes),
        "kind": kind.value,
        "edition": str(edition) if edition else NO_EDITION,
        **numbers(texts, kind, edition, notes),
        **words(texts, place, notes),
    }
    if kind is Kind.TIP and (size := values.pop("text_size", None)):
        notes.warn("X023", f"the size of the text, {size} pt, is left out: tips have a box of their own")
    if "credit" in texts:
        values |= credit_font_key(image, texts["credit"], notes)
    values["art"] = {**art, **attribution(texts, window(place))}
    for use in _ON_CARD:
        if use in texts:
            note_looks(texts[use].text, use, notes)
    note_faces(texts, notes)
    note_setting(texts, notes)
    parsed, written = None, values.get("text")
    if kind is not Kind.TIP:  # which has no abilities, and boxes of its own here
        if edition and isinstance(written, str):
            parsed = ability.parse(written, usual_grammar(edition), is_spell=kind is Kind.SPELL)
            compare_reds(texts["text"].text, written, parsed, notes)
        note_places(texts, place, notes)
        note_sizes(texts, place, notes)
    if parsed and parsed.padlock != ("padlock" in layers.by_use):
        here, there = ("no padlock", "one") if parsed.padlock else ("a padlock", "none")
        notes.warn("X022", f"the file shows {here}, and the rules give {there}", "kotc draws it by the rules")
    for layer in layers.unknown:
        notes.leave_out(layer, "no key of a card file is for it")
    if image.version > NEWEST:
        message = f"`{notes.file.name}` is of version {image.version} of GIMP's format; {NEWEST} is the newest known"
        notes.warn("X026", message, "compare the card with the file")
    return ImportedCard(source=notes.file, values=values, picture=picture, findings=tuple(notes.findings))


def _kind(image: XcfImage, layers: KnownLayers, notes: XcfNotes) -> tuple[Kind, Extent]:
    """Return the kind of card that the visible template tells, and where the card lies on the canvas."""
    if len(layers.templates) != 1:
        names = [layer.name for layer in layers.templates.values()]
        what = f"shows {listed(names, 'and')}" if names else "shows no layer such as `Creature Template`"
        raise notes.refuse("X012", what, "let exactly one template be visible: it tells the kind of card")
    ((kind, template),) = layers.templates.items()
    box = template.extent
    # A card is 5 wide and 7 high; a template that was cropped to what is drawn on it does not tell where it lies.
    is_card = abs(box.width * 7 - box.height * 5) <= 12
    return kind, box if is_card else Extent(0, 0, image.width, image.height)


def _picture(image: XcfImage, layers: KnownLayers, place: Extent, notes: XcfNotes) -> tuple[bytes, dict[str, str]]:
    """Return the picture as PNG with the keys that say how it is shown; nothing if there is none."""
    of_picture = layers.by_use.get("picture", ())
    for layer in of_picture:
        _note_modes(image, layer, notes)
    cut = cut_picture(image, of_picture, place) if of_picture else None
    if cut is None:
        if of_picture:
            notes.leave_out(of_picture[0], "it lies outside the box for the picture", "move it into the box")
        return b"", {}
    if cut.note:
        notes.warn("X025", f"the picture {cut.note}")
    return cut.png, {} if cut.fit == "contain" else {"fit": cut.fit}


def _note_modes(image: XcfImage, layer: XcfLayer, notes: XcfNotes) -> None:
    """Warn of what changes the look of a layer in GIMP and not here."""
    inside = [each for each in image.layers if each.path[: len(layer.path)] == layer.path and image.seen(each)]
    for each in inside:
        if each.mode not in (*NORMAL, PASS_THROUGH):
            notes.warn("X024", f"the mode `{mode_name(each.mode)}` of the layer {quoted(each.name)} counts as normal")
        for effect in each.effects:
            notes.warn("X024", f"the effect {quoted(effect)} of the layer {quoted(each.name)} is left out", _MERGE)


_MERGE = "merge it down in GIMP to have it in the picture"
