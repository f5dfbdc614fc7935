"""Cards of published sheets: fetch the tables that `cards` of `set.yaml` names, and bring the files of the set up to date.

What was fetched last lies in `.kotc/pulled`. Against it, both the file of the set and the sheet have changes, card by card
and field by field. Those of the sheet are taken over, those of the file stay, and where both changed one field nothing is
written.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from render.base.files import replace_files
from render.base.findings import Diagnostic, Refused, Span, plural, quoted
from render.base.limits import CSV_FILE
from render.base.patterns import regex
from render.game import ids
from render.game.cards import GameSet
from render.game.schemas import FOLDER
from render.source.fetching import CannotFetch, Reach, fetch
from render.source.nodes import Mapping as Nodes
from render.source.reader import read_bytes
from render.source.tables.cells import TableCell, cell_span
from render.source.tables.reading import sheets_in
from render.source.tables.writing import WRITERS

_MAX_TOLD = 50  # lines
_KEY = regex(r"\$\{([^}]*)\}")
_KEY_NAME = regex(r"KOTC_KEY_[A-Z0-9_]+")  # no other variable of the environment goes to an address of a set

Row = Mapping[str, TableCell]
"""The filled cells of a card by their headings, in small letters."""


class Table(Struct, frozen=True):
    """A table of cards: its headings by their small letters, and its rows by the ids of the cards, both in their order."""

    headings: Mapping[str, str] = {}
    rows: Mapping[str, Row] = {}


class Pulled(Struct, frozen=True):
    """What pulling a file gives: its content before and after, what was fetched, and what changed, in lines."""

    file: Path
    before: bytes
    after: bytes
    fetched: bytes
    lines: tuple[str, ...]


def pull(card_set: GameSet, reach: Reach) -> list[Pulled]:
    """Return what the published sheets of a set bring, of which nothing is written yet.

    Refused, if a sheet cannot be fetched or is no table of cards, or if one field was changed here and there. OSError.
    """
    pulled, findings = list[Pulled](), list[Diagnostic]()
    for name, address in card_set.published:
        try:
            content = _fetched(address, reach)
            pulled.append(_merged(card_set, name, address, content))
        except CannotFetch as error:
            findings.append(Diagnostic("N015", str(error), error.hint).at(_place(card_set, name), field="cards"))
        except Refused as refused:
            findings += [
                each if each.span else each.at(_place(card_set, name), field="cards") for each in refused.findings
            ]
    if findings:
        raise Refused(findings)
    return pulled


def write(card_set: GameSet, pulled: Iterable[Pulled]) -> None:
    """Write the files and what was fetched, all or none; OSError, also if a file was changed meanwhile."""
    files = [(each.file, each.after) for each in pulled]
    files += [(_earlier(card_set, each.file.name), each.fetched) for each in pulled]
    held = {each.file: each.before for each in pulled}
    replace_files(((file, partial(bytes, data)) for file, data in files), card_set.folder, held)


def _earlier(card_set: GameSet, name: str) -> Path:
    """Return the file with what was fetched last."""
    return card_set.folder / FOLDER / "pulled" / name


def _place(card_set: GameSet, name: str) -> Span | None:
    document, node = card_set.source or (None, None)
    cards = node.get("cards") if node else None
    at = cards.get(name) if isinstance(cards, Nodes) else cards
    return document.span(at) if document and at else None


def _fetched(address: str, reach: Reach) -> bytes:
    """Return what stands at an address, with the keys in it from the environment; with one, only by https://."""
    names = _KEY.findall(address)
    for name in names:
        if not _KEY_NAME.fullmatch(name):
            raise CannotFetch(f"`{name}` is no key for a sheet", "the name of such a variable begins with `KOTC_KEY_`")
        if not os.environ.get(name):
            raise CannotFetch(f"the environment has no `{name}`", f"set it, such as `export {name}=...`")
    whole = _KEY.sub(lambda match: quote(os.environ[match[1]], safe=""), address)
    return fetch(whole, CSV_FILE, replace(reach, http=reach.http and not names))


# --- three ways -----------------------------------------------------------------------------------------------------


def _merged(card_set: GameSet, name: str, address: str, content: bytes) -> Pulled:
    file = card_set.folder / name
    keys = {heading.strip().casefold(): key for heading, key in card_set.columns}
    theirs = _table(content, keys)
    parts = {part for each in theirs.headings for part in keys.get(each, each).split(".")}  # `faces.1.name`, `name.ja`
    if not theirs.rows or not {"id", "name"} & parts:
        hint = "its first row has the headings, `name` among them; `tables: {columns: ...}` says what others mean"
        raise Refused([Diagnostic("N016", "the sheet holds no cards", hint)])
    before, earlier = _content(file, card_set), _content(_earlier(card_set, name), card_set)
    host = urlsplit(address).hostname
    if not before:
        return Pulled(file, before, content, content, (f"{file} from {host}: {plural(len(theirs.rows), 'card')}",))
    try:
        merge = _Merge(file, _table(earlier, keys) if earlier else Table(), _table(before, keys), theirs, keys)
    except Refused as refused:
        raise Refused([each if each.span else each.at(Span(file=file)) for each in refused.findings]) from None
    rows = merge.rows()
    if merge.conflicts:
        raise Refused(merge.conflicts)
    is_theirs = [*map(_texts, rows.values())] == [*map(_texts, theirs.rows.values())] and not merge.own_headings
    numbers = {"new": len(merge.new), "changed": len(merge.changed), "deleted": len(merge.deleted)}
    told = ", ".join(f"{number} {word}" for word, number in numbers.items() if number) or "no card changed"
    lines = [f"  new: {card}" for card in merge.new] + merge.changed
    lines += [f"  deleted: {card}" for card in merge.deleted] + merge.kept
    more = [f"  and {len(lines) - _MAX_TOLD} more"] if len(lines) > _MAX_TOLD else []
    lines = [f"{file} from {host}: {told}", *lines[:_MAX_TOLD], *more]
    after = content if is_theirs else _written(merge.headings, rows.values())
    return Pulled(file, before, after, content, tuple(lines))


def _content(file: Path, card_set: GameSet) -> bytes:
    """Return what a file of the set holds; b"" if there is none."""
    return read_bytes(file, CSV_FILE.most, card_set.folder) if os.path.lexists(file) else b""


def _table(content: bytes, keys: Mapping[str, str]) -> Table:
    """Return what a CSV file says; `keys` are those that headings stand for. Refused."""
    (sheet,), _ = sheets_in(content, ".csv")
    heads = {cell.column: cell.text.strip() for cell in sheet.rows[0]}
    columns = sorted({*heads, *(cell.column for row in sheet.rows for cell in row)})
    named, headings = dict[int, str](), dict[str, str]()
    for column in columns:  # one without a heading, or with that of another one, stays what it is
        words = heads.get(column, "").casefold()
        named[column] = words if words and words not in headings else f"#{column} {words}"
        headings[named[column]] = heads.get(column, "")
    rows, times = dict[str, Row](), Counter[str]()
    for cells in sheet.rows[1:]:
        row = {named[cell.column]: cell for cell in cells if cell.text.strip()}
        own = {keys.get(heading, heading): cell.text.strip() for heading, cell in row.items()}
        faces = [words for key, words in own.items() if "name" in key.split(".")]
        name = next(iter([own[key] for key in ("id", "name") if key in own] or faces), "a row without a name")
        card = ids.slug(name) or name
        times[card] += 1
        rows[card if times[card] == 1 else f"{card} ({times[card]})"] = row
    return Table(headings, rows)


def _written(headings: Mapping[str, str], rows: Iterable[Row]) -> bytes:
    cells = ([row[name].text if name in row else "" for name in headings] for row in rows)
    data = WRITERS[".csv"]([[*headings.values()], *cells], "")
    if len(data) > CSV_FILE.most:
        raise Refused([Diagnostic("N010", f"with what was changed here, the table is larger than {CSV_FILE}")])
    return data


class _Merge:
    """Puts the changes of the sheet into the file of a set, and notes what they are."""

    def __init__(self, file: Path, base: Table, ours: Table, theirs: Table, keys: Mapping[str, str]) -> None:
        self._file, self._base, self._ours, self._theirs, self._keys = file, base, ours, theirs, keys
        self.own_headings = {
            name: head for name, head in ours.headings.items() if name not in {**base.headings, **theirs.headings}
        }
        self.headings = {**theirs.headings, **self.own_headings}
        self.new, self.changed, self.deleted, self.kept = list[str](), list[str](), list[str](), list[str]()
        self.conflicts: list[Diagnostic] = []

    def rows(self) -> dict[str, Row]:
        """Return the rows in the order of the sheet; those that only the file has stand at the end."""
        rows: dict[str, Row] = {}
        for card, theirs in self._theirs.rows.items():
            base, ours = self._base.rows.get(card), self._ours.rows.get(card)
            if ours is not None:
                rows[card] = self._card(card, base or {}, ours, theirs)
            elif base is None:
                self.new.append(card)
                rows[card] = theirs
            elif _texts(base) == _texts(theirs):
                self.kept.append(_kept(card, "deleted"))
            else:
                self._note(card, "was deleted here and changed in the sheet", None)
        for card, ours in self._ours.rows.items():
            base = self._base.rows.get(card)
            if card in self._theirs.rows:
                continue
            if base is None:
                self.kept.append(_kept(card, "new"))
                rows[card] = ours
            elif _texts(base) == _texts(ours):
                self.deleted.append(card)
            else:
                self._note(card, "was changed here and deleted in the sheet", next(iter(ours.values())))
        return rows

    def _card(self, card: str, base: Row, ours: Row, theirs: Row) -> Row:
        row, changed, kept = dict[str, TableCell](), list[str](), list[str]()
        for name in dict.fromkeys((*self._theirs.headings, *self._ours.headings)):
            before, here, there = (_text(each, name) for each in (base, ours, theirs))
            taken = theirs if here == before else ours
            if name in taken:
                row[name] = taken[name]
            key = self._keys.get(name, name)
            if here == there or not key or key.startswith("#"):  # of columns that are left out, nobody need know
                continue
            if here == before:
                changed.append(f"{key} {_said(here)} -> {_said(there)}")
            elif there == before:
                kept.append(key)
            else:
                was = f"; it was {_said(before)}" if base else ""
                differs = f"{_said(here)} here and {_said(there)} in the sheet{was}"
                self._note(card, f"has changed here and in the sheet: `{key}` is {differs}", ours.get(name))
        self.changed += [f"  {card}: {'; '.join(changed)}"] if changed else []
        self.kept += [_kept(card, ", ".join(kept))] if kept else []
        return row

    def _note(self, card: str, what: str, cell: TableCell | None) -> None:
        words = cell.text if cell else ""
        span = cell_span(self._file, "", cell, words, (0, len(words))) if cell else Span(file=self._file)
        hint = "make both say the same, here or in the sheet, and pull again"
        hint += f"; if you delete `{self._file.name}`, all comes from the sheet"
        self.conflicts.append(Diagnostic("N017", f"the card {quoted(card)} {what}", hint).at(span, card))


def _kept(card: str, what: str) -> str:
    return f"  stays as it is here: {card} ({what})"


def _text(row: Row, name: str) -> str:
    return row[name].text.strip() if name in row else ""


def _texts(row: Row) -> dict[str, str]:
    return {name: cell.text.strip() for name, cell in row.items()}


def _said(text: str) -> str:
    return quoted(text) if text else "nothing"
