"""What an editor shows of a text: words about a place, hints behind words, an outline, ways to files, corrections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from lsprotocol.types import DocumentSymbol, InlayHint, Position, Range, SymbolKind

from render.base.caches import cached_texts
from render.base.findings import Finding, quoted
from render.base.resources import TEMPLATES
from render.game.cards import is_picture, place_of_key
from render.game.derivations import Derivation, DerivationStep
from render.game.folder import SET_FILE, card_files, is_deck, is_words
from render.game.home import Home
from render.lsp.completion import schema_of
from render.lsp.document import (
    KEPT,
    EditedDocument,
    EditedSet,
    LineMap,
    Piece,
    Word,
    cards_of_deck,
    derive,
    line_map,
    parse,
    read_piece,
    split_pieces,
    text_of,
    word_at,
)
from render.source import nodes
from render.source.nodes import Mapping, Node, Scalar

# --- hover ----------------------------------------------------------------------------------------------------------


def hover(document: EditedDocument, params: types.HoverParams) -> types.Hover | None:
    """Return what there is to say about a position: what a key means, how a level follows, what a piece of text adds."""
    word, edited = word_at(document, params.position), document.edited
    if word is None:
        return None
    piece = word.piece
    parsed = parse(piece.text, piece.file)
    derivation = derive(parsed, word.card, edited) if parsed and edited else None
    if derivation and not word.is_key:
        offset = piece.offset(params.position)
        for step, start, end in _placed_steps(piece, word.scalar, derivation, ".".join(word.path)):
            if start <= offset <= end:
                amount = f" **{step.amount}**" if step.amount else ""
                more = _escape(", ".join(filter(None, (step.note, step.extra))))
                explained = f"{step.role}{amount}: {_escape(step.words)}" + (f"\n\n{more}" if more else "")
                return _markdown(explained, piece.range(start, end))
    schema, key = schema_of(document.file, edited), word.path[-1:]
    values = {name.value: value.value for name, value in word.card.entries if isinstance(value, Scalar)}
    description = schema.description(word.path, values) if schema else ""
    parts = [f"`{word.path[-1]}`: {description}"] if description else []
    if derivation and key and key[0] in ("name", *(name for name, _ in derivation.numbers)):
        parts.append(_derivation_table(derivation))
    return _markdown("\n\n".join(parts), piece.range_of(word.scalar)) if parts else None


def _placed_steps(
    piece: Piece, scalar: Scalar, derivation: Derivation, key: str
) -> Iterator[tuple[DerivationStep, int, int]]:
    """Yield the steps that stand in the value of a key, with the offsets in the piece between which each stands."""
    steps = [(step, *step.place) for step in derivation.steps if step.key == key and step.place]
    document = parse(piece.text, piece.file) if steps else None
    places = document.places(scalar) if document else ()
    for step, start, end in steps:
        if 0 <= start < end <= len(places):
            yield step, places[start][0], places[end - 1][1]


def _derivation_table(derivation: Derivation) -> str:
    head = f"**{derivation.result}**" if derivation.result else _escape(derivation.summary)
    if not derivation.steps:
        return head
    rows = [
        f"| {_escape(step.words)} | {step.amount} | {_escape(step.role)} | {_escape(step.note)} |"
        for step in derivation.steps
    ]
    return "\n".join([head, "", "| | | | |", "| --- | ---: | --- | --- |", *rows])


def _markdown(text: str, where: Range) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), where)


def _escape(words: str) -> str:
    """Return words in a line of Markdown that mean themselves."""
    words = " ".join(words.split())
    for mark in "\\`*_<[|":
        words = words.replace(mark, f"\\{mark}")
    return words


# --- hints ----------------------------------------------------------------------------------------------------------


def inlay_hints(document: EditedDocument, params: types.InlayHintParams) -> list[InlayHint]:
    """Return the hints in a range of lines: levels by the rules, and what pieces of texts add."""
    edited, first, last = document.edited, params.range.start.line, params.range.end.line
    hints: list[InlayHint] = []
    if edited is None:
        return hints
    for piece in split_pieces(document.text, document.file, first, last):
        for offset, label, tooltip in _hints(piece.text, piece.file, edited):
            # The parser lets a plain value end where the next thing begins.
            end = len(piece.text[:offset].rstrip()) or offset
            position = piece.range(end, end).start
            if first <= position.line <= last:
                hints.append(InlayHint(position, label, tooltip=tooltip or None, padding_left=True))
    return hints


# By text, so that an edit makes those of one card anew.
@cached_texts(KEPT)
def _hints(text: str, file: Path, edited: EditedSet) -> tuple[tuple[int, str, str], ...]:
    """Return the hints of a piece: the offset behind which each stands, its label, and what explains it."""
    piece, hints = Piece(file, text, 0), []
    for node, derivation in read_piece(piece.text, piece.file, edited):
        if derivation is None:
            continue
        for key, number in derivation.numbers:
            value = node.get(key)
            if isinstance(value, Scalar) and value.value not in (number, ""):
                label = number if value.value == "auto" else f"{number} by the rules"
                hints.append((value.end, label, derivation.summary))
        for key in dict.fromkeys(step.key for step in derivation.steps if step.place):
            value = node.get(key)
            if isinstance(value, Scalar):
                for step, _, end in _placed_steps(piece, value, derivation, key):
                    if step.amount:
                        hints.append((end, step.amount, "; ".join(filter(None, (step.role, step.note, step.extra)))))
    return tuple(hints)


# --- outline --------------------------------------------------------------------------------------------------------

_OUTLINE_TIME = 0.4  # seconds for levels: an editor waits a second for all that it shows
_LONGEST_DETAIL = 80  # characters of a value beside its key
_MAX_SYMBOLS = 500  # cards that a search shows


def outline(document: EditedDocument, _: object) -> list[DocumentSymbol]:
    """Return the cards of a card file with kind and level, or the keys of another file.

    Of a large file, levels that are not yet known are shown when it is asked for again.
    """
    pieces, edited = split_pieces(document.text, document.file), document.edited
    if edited is None or document.file.name == SET_FILE or is_words(document.file):
        return [symbol for piece in pieces for node in piece.nodes for symbol in _key_symbols(piece, node)]
    symbols, ends = [], time.monotonic() + _OUTLINE_TIME
    for piece in pieces:
        is_late = time.monotonic() > ends
        nodes_alone = ((node, None) for node in piece.nodes if isinstance(node, Mapping))
        for node, derivation in nodes_alone if is_late else read_piece(piece.text, piece.file, edited):
            if not node.entries:
                continue
            name, kind = node.get("name") or node.get("id"), node.get("kind")
            named = name if isinstance(name, Scalar) and name.value else None
            level = [f"{key.replace('_', ' ')} {number}" for key, number in derivation.numbers] if derivation else []
            detail = " ".join(filter(None, [kind.value if isinstance(kind, Scalar) else "", *level[:1]]))
            symbol = DocumentSymbol(
                name=named.value if named else "card",
                detail=detail or None,
                kind=SymbolKind.Object,
                range=piece.range_of(node),
                selection_range=piece.range_of(named or node.entries[0][0]),
            )
            symbols.append(symbol)
    return symbols


def _key_symbols(piece: Piece, node: Node) -> Iterator[DocumentSymbol]:
    if isinstance(node, nodes.Sequence):
        for item in node.items:
            yield from _key_symbols(piece, item)
    if not isinstance(node, Mapping):
        return
    for key, value in node.entries:
        detail = value.value if isinstance(value, Scalar) and "\n" not in value.value else ""
        end = max(value.start + len(piece.text[value.start : value.end].rstrip()), key.end)
        yield DocumentSymbol(
            name=key.value or " ",
            detail=detail[:_LONGEST_DETAIL] or None,
            kind=SymbolKind.Key,
            range=piece.range(key.start, end),
            selection_range=piece.range_of(key),
            children=[*_key_symbols(piece, value)] or None,
        )


def find_cards(sets: Iterable[EditedSet], query: str, uri_of: Callable[[Path], str]) -> list[types.WorkspaceSymbol]:
    """Return the cards of sets whose name has all words of a query."""
    symbols: list[types.WorkspaceSymbol] = []
    words = query.casefold().split()
    for edited in sets:
        for file in card_files(edited.folder):
            for piece in split_pieces(text_of(file) or "", file):
                for node in piece.nodes:
                    name = node.get("name") if isinstance(node, Mapping) else None
                    if isinstance(name, Scalar) and all(word in name.value.casefold() for word in words):
                        where = types.Location(uri_of(file), piece.range_of(name))
                        symbol = types.WorkspaceSymbol(where, name.value, SymbolKind.Object)
                        symbol.container_name = edited.card_set.name
                        symbols.append(symbol)
                if len(symbols) >= _MAX_SYMBOLS:
                    return symbols[:_MAX_SYMBOLS]
    return symbols


# --- ways to files --------------------------------------------------------------------------------------------------

_START = Range(Position(0, 0), Position(0, 0))


def definitions(document: EditedDocument, params: types.DefinitionParams) -> list[types.Location]:
    """Return the places that the word at a position leads to: a picture, a template, the card that a deck means."""
    word = word_at(document, params.position)
    if word and is_deck(document.file) and word.path[:1] == ("cards",):
        folder, _, name = (word.path[-1] if word.is_key else word.scalar.value).rpartition("/")
        meant = [
            (place_of_key(card, "name"), card.document.text)
            for card, card_set in cards_of_deck(document)
            if name in (card.id, *card.names) and folder in ("", card_set.folder.resolve().name)
        ]
        return [types.Location(document.uri_of(span.file), line_map(text).range_of(span)) for span, text in meant]
    target = _target(word, document.edited) if word and word.path and document.edited else None
    return [types.Location(document.uri_of(target), _START)] if target else []


def _target(word: Word, edited: EditedSet) -> Path | None:
    """Return the file that a value names; on a key, that of its value."""
    node = word.card.get(word.path[0]) if word.is_key else word.scalar
    value = node.value if isinstance(node, Scalar) else ""
    if word.path[0] == "kind" or (word.path[0] == "back" and not is_picture(value)):
        if not value or {"/", "\\", "\0"} & {*value}:
            return None
        folders = (edited.folder / "templates", edited.folder, edited.game.templates, TEMPLATES)
        return next((file for folder in folders if (file := folder / f"{value}.svg").is_file()), None)
    if not {"back", *edited.game.picture_keys}.intersection(word.path) or not is_picture(value):
        return None
    target = Home(edited.folder).file(value)
    return target if target and target.is_file() else None


def links(document: EditedDocument, _: object) -> list[types.DocumentLink]:
    """Return the names of pictures in a file, with the files."""
    edited = document.edited
    if edited is None:
        return []
    home = Home(edited.folder)
    pictures = (
        (piece, name)
        for piece in split_pieces(document.text, document.file)
        for node in piece.nodes
        for name in _picture_names(node, edited.game.picture_keys)
    )
    return [
        types.DocumentLink(piece.range_of(name), target=target.as_uri())
        for piece, name in pictures
        if (target := home.file(name.value)) and target.is_file()
    ]


def _picture_names(node: Node, keys: Sequence[str]) -> Iterator[Scalar]:
    """Yield the names of pictures that a card and its faces give at these keys, and at `back`."""
    if not isinstance(node, Mapping):
        return
    back, faces = node.get("back"), node.get("faces")
    names = [value.get("file") if isinstance(value, Mapping) else value for value in map(node.get, keys)]
    names += [value for _, value in back.entries] if isinstance(back, Mapping) else [back]
    for name in names:
        if isinstance(name, Scalar) and name.value and is_picture(name.value):
            yield name
    for face in faces.items if isinstance(faces, nodes.Sequence) else ():
        yield from _picture_names(face, keys)


# --- corrections ----------------------------------------------------------------------------------------------------

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.kotc"


def corrections(document: EditedDocument, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the corrections of the findings of a file that touch a range, and one for all of the file."""
    lines, wanted = line_map(document.text), params.range
    edits = [(finding.code, edit) for finding in document.findings if (edit := _edit(finding, lines))]
    actions: dict[str, types.CodeAction] = {}
    for code, edit in edits:
        if edit.range.start <= wanted.end and wanted.start <= edit.range.end:
            title = f"write {quoted(edit.new_text)}"
            key = f"{code} {title} {edit.range}"
            actions[key] = _action(title, types.CodeActionKind.QuickFix, [code], [edit], params)
    all_edits: list[types.TextEdit] = []
    for edit in sorted((edit for _, edit in edits), key=lambda edit: (edit.range.start, edit.range.end, edit.new_text)):
        if not all_edits or edit.range.start >= all_edits[-1].range.end:  # no two may overlap
            all_edits.append(edit)
    if len(all_edits) > 1 or (all_edits and not actions):
        title, codes = f"correct all {len(all_edits)} in this file", [code for code, _ in edits]
        for kind in (types.CodeActionKind.QuickFix, FIX_ALL):
            actions[kind] = _action(title, kind, codes, all_edits, params)
            actions[kind].is_preferred = False
    kinds = params.context.only
    asked = [""] if kinds is None else [str(getattr(kind, "value", kind)) for kind in kinds]

    def is_asked(kind: str) -> bool:
        return any(not each or f"{kind}.".startswith(f"{each}.") for each in asked)

    return [action for action in actions.values() if is_asked(str(getattr(action.kind, "value", action.kind)))]


def _edit(finding: Finding, lines: LineMap) -> types.TextEdit | None:
    """Return the edit that mends a finding; None if it names none, or no words of the file."""
    span = finding.span
    if not finding.instead or span is None or (span.line, span.column) == (span.end_line, span.end_column):
        return None
    where = lines.range_of(span)
    now = lines.text[lines.offset(where.start) : lines.offset(where.end)]
    return types.TextEdit(where, finding.instead) if now not in ("", finding.instead) else None


def _action(
    title: str, kind: str, codes: Sequence[str], edits: list[types.TextEdit], params: types.CodeActionParams
) -> types.CodeAction:
    ranges = [edit.range for edit in edits]
    mended = [each for each in params.context.diagnostics if each.code in codes and each.range in ranges]
    return types.CodeAction(
        title=title,
        kind=kind,
        diagnostics=mended or None,
        is_preferred=True,
        edit=types.WorkspaceEdit(changes={params.text_document.uri: edits}),
    )
