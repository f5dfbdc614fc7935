"""What may be written at a place: keys, words, files, cards, and pieces of ability texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from render.game.cards import PICTURES
from render.game.derivations import Phrase
from render.game.folder import is_deck
from render.lsp.answers import AnswerSort, Completion
from render.lsp.sources.cursor import TypingPlace, cursor_at
from render.lsp.sources.deck_cards import cards_of_deck
from render.lsp.sources.edited_set import EditedSet
from render.lsp.sources.pieces import line_map
from render.lsp.sources.places import LineMap, Spot, Stretch
from render.lsp.sources.schema_walk import SchemaWalk
from render.lsp.sources.schemas_of_files import schema_of
from render.source.scalars.scalar_writing import write_anywhere

_MAX_FILES = 2000
_NUMBER = re.compile(r"\{([a-z])\}")
_ENDS = re.compile(r"[.;:→,(]\s*|(?<=\s)(?:then|also|and)\s+|^\s*")


def completions(text: str, file: Path, view: EditedSet | None, spot: Spot) -> list[Completion]:
    """Return what may be written at a spot of a file, in the order in which it should be shown."""
    lines = line_map(text)
    column = lines.offset(spot) - lines.offset(Spot(spot.line, 0))
    near = [lines.line(number) for number in range(len(lines))]
    at = cursor_at(near, spot.line, column)
    stretch = _stretch(lines, spot, at)
    if at.path[-1:] == ("text",) and at.in_value and view is not None:
        return list(_phrases(view, at, lines, spot))
    schema = schema_of(file, view)
    if schema is None:
        return []
    if is_deck(file) and at.path[:1] in (("cards",), ("sets",)):
        return list(_of_deck(file, text, at, stretch))
    return list(dict.fromkeys(_offers(schema, view, at, stretch)))


def _stretch(lines: LineMap, spot: Spot, at: TypingPlace) -> Stretch:
    """Return the stretch that is replaced: from the start of the word to the place."""
    begin = lines.offset(Spot(spot.line, 0)) + at.start
    return Stretch(lines.spot(begin), spot)


def _of_deck(file: Path, text: str, at: TypingPlace, stretch: Stretch) -> Iterator[Completion]:
    """Yield the cards that a deck may have, or the folders of sets beside it."""
    if at.path[0] == "sets":
        yield from _folders(file.parent, stretch)
    elif at.path == ("cards",) and not at.in_value:
        yield from _cards(file, text, stretch, "" if at.in_list else ": ")


def _offers(schema: SchemaWalk, view: EditedSet | None, at: TypingPlace, stretch: Stretch) -> Iterator[Completion]:
    if not at.in_value and not (at.in_list and at.path):
        yield from _keys(schema, at, stretch)
        return
    for word in schema.words(at.path, at.values, item=at.in_list):
        about = schema.described(at.path, at.values)
        yield Completion(label=word, sort=AnswerSort.WORD, stretch=stretch, new=word, words=about)
    if view is not None:
        yield from _files(view, at, stretch)


def _keys(schema: SchemaWalk, at: TypingPlace, stretch: Stretch) -> Iterator[Completion]:
    for key, shape in schema.keys(at.path, at.values).items():
        if key not in at.values:
            yield Completion(
                label=key,
                sort=AnswerSort.KEY,
                stretch=stretch,
                new=f"{key}: " if "properties" not in shape else f"{key}:",
                words=str(shape.get("description", "")),
            )


# --- files and cards ------------------------------------------------------------------------------------------------


def _files(view: EditedSet, at: TypingPlace, stretch: Stretch) -> Iterator[Completion]:
    """Yield the pictures of the set, and the templates that may be a back."""
    is_art = at.path[-1:] in {(key,) for key in view.game.picture_keys} or at.path[-2:] == ("art", "file")
    if not is_art and at.path[:1] != ("back",):
        return
    for name in _pictures(view.folder):
        written = name if at.quote else write_anywhere(name)
        yield Completion(label=name, sort=AnswerSort.FILE, stretch=stretch, new=written)
    if not is_art:
        for name in sorted({*_templates(view), "none"}):
            yield Completion(label=name, sort=AnswerSort.FILE, stretch=stretch, new=name)


def _pictures(folder: Path) -> list[str]:
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in ("templates",))
        inside = Path(place).relative_to(folder)
        found += [(inside / name).as_posix() for name in sorted(names) if _is_picture(name)]
        if len(found) > _MAX_FILES:
            break
    return found[:_MAX_FILES]


def _is_picture(name: str) -> bool:
    return not name.startswith(".") and name.lower().endswith(PICTURES) and not re.search(r"[\x00-\x1f]", name)


def _templates(view: EditedSet) -> Iterator[str]:
    """Yield the names of templates that may be a back: those of the set, and those called so."""
    with suppress(OSError):
        yield from (each.stem for each in (view.folder / "templates").glob("*.svg") if each.stem not in view.game.kinds)
    yield from (each.stem for each in view.game.templates.glob("*back*.svg"))


def _cards(file: Path, text: str, stretch: Stretch, behind: str) -> Iterator[Completion]:
    for card, card_set in cards_of_deck(file, text):
        beside = f"{card.name}, {card_set.name}"
        yield Completion(label=card.id, sort=AnswerSort.CARD, stretch=stretch, new=f"{card.id}{behind}", beside=beside)


def _folders(folder: Path, stretch: Stretch) -> Iterator[Completion]:
    with suppress(OSError):
        for each in sorted(folder.iterdir()):
            if (each / "set.yaml").is_file():
                yield Completion(label=each.name, sort=AnswerSort.FILE, stretch=stretch, new=write_anywhere(each.name))


# --- pieces of an ability -------------------------------------------------------------------------------------------


def _phrases(view: EditedSet, at: TypingPlace, lines: LineMap, spot: Spot) -> Iterator[Completion]:
    """Yield the pieces that may stand in the text, for the words behind the last mark in the line."""
    begun = [match.end() for match in _ENDS.finditer(at.typed)][-1]
    begin = lines.offset(Spot(spot.line, 0)) + at.start + begun
    stretch = Stretch(lines.spot(begin), spot)
    before = at.typed[:begun].rstrip()
    for phrase in view.game.phrases(view.card_set, at.values):
        yield _phrase(phrase, stretch, at, small=before.endswith((";", "→", ",", "then", "also", "and")))


def _phrase(phrase: Phrase, stretch: Stretch, at: TypingPlace, *, small: bool) -> Completion:
    words = phrase.words
    # The first letter is a capital where a sentence begins.
    words = (words[:1].lower() if small and words[1:2].islower() else words[:1].upper()) + words[1:]
    label = _NUMBER.sub(r"\1", words)
    written = (
        words + phrase.ending.rstrip(" ")
        if at.block or not at.quote
        else _in_quotes(words + phrase.ending.rstrip(" "), at.quote)
    )
    numbers = dict.fromkeys(_NUMBER.findall(written))
    snippet = written.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
    for place, name in enumerate(numbers, 1):
        snippet = snippet.replace(f"{{{name}\\}}", f"${{{place}:{name}}}")
    about = [f"{phrase.role}{f', {phrase.price}' if phrase.price else ''}", phrase.note]
    about += [f"Example: {phrase.example}"] if phrase.example else []
    return Completion(
        label=label,
        sort=AnswerSort.PHRASE,
        stretch=stretch,
        new=snippet if numbers else written,
        beside=phrase.price or phrase.role,
        words="\n\n".join(filter(None, about)),
        snippet=bool(numbers),
    )


def _in_quotes(words: str, quote: str) -> str:
    return words.replace("'", "''") if quote == "'" else words.replace("\\", "\\\\").replace('"', '\\"')
