"""A card of a picture file, for `kotc import`: what is sure is taken, what is not is said."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Severity, Span, quoted
from render.base.geometry import MM_PER_POINT
from render.games.kotc.drawing.card_values import paragraphs
from render.games.kotc.files.keys import is_required
from render.games.kotc.model.cards import Kind
from render.games.kotc.workshop.imports.imported import ImportedCard, Value
from render.games.kotc.workshop.recognition.card_reading import FieldReading, RecognizedCard, read_card
from render.games.kotc.workshop.recognition.drawn_again import parsed_text
from render.games.kotc.workshop.recognition.registration import NoCard
from render.images.decode import decode_picture, open_raster
from render.images.files.parts import UnusablePicture


def read_picture_card(file: Path, data: bytes) -> ImportedCard:
    """Return the card that a PNG or JPEG shows; Refused if it cannot be opened, or shows no card of the game."""
    try:
        reading = read_card(decode_picture(open_raster(data)))
    except UnusablePicture as error:
        problem = error.problem
        said = Diagnostic(problem.code, f"the picture `{file.name}` {problem.message}", problem.hint)
        raise Refused([said.at(Span(file=file))]) from None
    except NoCard as error:
        message = f"`{file.name}` shows no card that could be read: {error}"
        raise Refused([Diagnostic("X035", message, _WHAT_IS_READ).at(Span(file=file))]) from None
    remarks = _remarks(reading.fields)
    findings = [*_unsure(file, reading.fields, remarks), *_differences(file, reading)]
    return ImportedCard(
        source=file,
        values=dict(_values(reading, remarks)),
        complete=False,
        picture=reading.art,
        findings=tuple(findings),
        unsure=remarks,
    )


_WHAT_IS_READ = "give a PNG or JPEG of one card, upright, of 180 dpi or more"


_WORTH = 0.5  # how sure a key must at least be that no card can be without


def _remarks(fields: Mapping[str, FieldReading]) -> dict[str, str]:
    """Return a remark for each key that is not sure, but that a card of its kind must have: it is written all the same.

    A card without it would be none, and its author would have to begin with the picture.
    """
    kind = fields["kind"].value
    needed = {"name", "kind"} | {key for key in fields if is_required(Kind(kind) if kind else None, key)}
    return {
        key: f"{_percent(each.sure)} sure: compare it with the picture"
        for key, each in fields.items()
        if key in needed and each.value is not None and each.sure >= _WORTH and not each.is_sure
    }


def _values(reading: RecognizedCard, unsure: Container[str]) -> Iterator[tuple[str, Value]]:
    """Yield the keys that are sure, those that are to be written although they are not, and the sizes of their texts."""
    written = {
        key: each.value
        for key, each in reading.fields.items()
        if each.value is not None and (each.is_sure or key in unsure)
    }
    yield from ((key, str(value)) for key, value in written.items())
    for key, size in reading.sizes.items():
        if key.removesuffix("_size") in written:
            yield key, f"{size / MM_PER_POINT:.2f}".rstrip("0").rstrip(".")
    if reading.art:
        yield "art", {}


def _unsure(file: Path, fields: Mapping[str, FieldReading], written: Container[str]) -> Iterator[Diagnostic]:
    for key, each in fields.items():
        if each.is_sure:
            continue
        if key in written:
            message = f"`{key}` is {quoted(str(each.value))}, {_percent(each.sure)} sure"
            hint = "look at the picture, and correct it in the card file"
        else:
            read = "" if each.value is None else f": it may be {quoted(str(each.value))}"
            message = f"`{key}` is left out, {_percent(each.sure)} sure{read}"
            hint = "look at the picture, and write it into the card file"
        yield Diagnostic("X036", message, hint, Severity.WARNING).at(Span(file=file), field=key)


def _percent(sure: float) -> str:
    """Return a share such as `87 %`, rounded down: 100 % is never said of what is not sure."""
    return f"{int(sure * 1000) / 10:g} %"


def _differences(file: Path, reading: RecognizedCard) -> Iterator[Diagnostic]:
    """Yield what the picture shows otherwise than the rules would have it drawn."""
    text = reading.fields.get("text")
    if text is None or not text.is_sure or not isinstance(text.value, str):
        return
    parsed = parsed_text(reading.frame, text.value)
    if parsed is None:
        return
    if parsed.padlock != reading.frame.padlock:
        here, there = ("no padlock", "one") if parsed.padlock else ("a padlock", "none")
        yield _warning(file, f"the picture shows {here}, and the rules give {there}")
    by_rules = [
        (char, bool(run["red"]))
        for paragraph in paragraphs(text.value, parsed, red=True)
        for run in paragraph
        for char in str(run["text"])
        if not char.isspace()
    ]
    seen = [(char, red) for word, red in reading.reds for char in word]
    if [char for char, _ in by_rules] != [char for char, _ in seen]:
        return
    both = [(char, here, there) for (char, there), (_, here) in zip(by_rules, seen, strict=True)]
    for (here, there), run in groupby(both, key=lambda each: each[1:]):
        if here != there:
            look = ("red", "black") if here else ("black", "red")
            words = "".join(char for char, _, _ in run)
            yield _warning(file, f"{quoted(words)} is {look[0]} in the picture and {look[1]} by the rules")


def _warning(file: Path, message: str) -> Diagnostic:
    return Diagnostic("X022", message, "kotc draws it by the rules", Severity.WARNING).at(Span(file=file))
