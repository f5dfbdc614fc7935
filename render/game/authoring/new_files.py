"""Begin a set, and write a new card into one: into the file where cards of its kind are, with a picture that lies ready.

All files are written, or none; nothing is overwritten.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from render.base.files import remove_leftovers_in, replace_files
from render.base.findings import Diagnostic, Refused, has_errors
from render.game import ids
from render.game.authoring.card_text import card_tables, no_new_card, with_card
from render.game.authoring.change_set import FileChange, FileChanged, OtherFile, write_all
from render.game.authoring.pictures import ART, loose_pictures
from render.game.cards import GameSet
from render.game.file_names import folded, free_file, free_name
from render.game.folder import GAME_FILE, SET_FILE, Source, card_files, table_files
from render.game.protocol import NewValue
from render.game.registry import AnyGame, game_of
from render.game.schemas import begin_with_line, head_of_new, schemas_of_set
from render.game.sets import set_reader
from render.game.sets.set_reader import read_set
from render.game.sources import declared
from render.images.decode import check_picture, read_picture
from render.images.files.parts import UnusablePicture
from render.source import reader
from render.source.nodes import Document, Scalar
from render.source.nodes import Mapping as Nodes
from render.source.nodes import Sequence as NodeList
from render.source.writing import write_mapping

NEW_FILE = "cards.yaml"
"""The file of the first cards of a set."""

_TRIES = 20  # to add the card to a file that is saved meanwhile


class CardWish(Struct, frozen=True, kw_only=True):
    """The card to write: its kind and name, other values by their keys, a picture, and where it goes.

    `art` is None for the picture that lies ready, if there is one. `file` is None for the file where it belongs.
    """

    folder: Path
    file: Path | None
    kind: str
    name: str
    values: Mapping[str, str]
    art: Path | None = None
    without_art: bool = False


class CardAdded(Struct, frozen=True, kw_only=True):
    """What was written: the card's id, its file and line, its picture as the card names it, and where that came from.

    `numbered` says that another card has the id of the name. `picture` is "" if it has none; `loose` are the pictures
    that lay ready if they were too many to choose from.
    """

    id: str
    numbered: bool
    file: Path
    line: int
    picture: str
    copied: bool
    loose: tuple[str, ...]


def write_card(wish: CardWish) -> CardAdded:
    """Write the card; Refused, and nothing is written, if it would be wrong or its file cannot take it. OSError."""
    remove_leftovers_in([wish.folder, wish.folder / ART])
    for _ in range(_TRIES):
        added, change, pictures = _prepare(wish)
        with suppress(FileChanged):  # checking the set takes a while, in which an author may save the file
            write_all([change], pictures=pictures)
            return added
    raise OSError(errno.EBUSY, "it is changed again and again; run the command again", str(added.file))


def _prepare(wish: CardWish) -> tuple[CardAdded, FileChange, list[OtherFile]]:
    """Return what is about to be written: the change of its file, and its picture if that has to be copied."""
    (card_set,) = declared(wish.folder)
    documents, tables = list(_documents(wish.folder)), list(card_tables(wish.folder))
    if wish.file is None and tables and not documents:
        raise Refused([no_new_card(table.file) for table in tables])
    taken = {each for document in (*documents, *tables) for each in _ids_in(document)}
    slug = ids.slug(wish.name)
    free = free_name(slug if ids.is_id(slug) else ids.slug(f"{wish.kind} {slug}"), taken=taken)
    card_id = wish.values.get("id") or free  # if it is taken or no id, `_check` says so
    picture, data, loose = _picture(wish, card_id)
    given = {**wish.values, "name": wish.name, "kind": wish.kind}
    given |= {"art": picture} if picture else {}
    given |= {"id": card_id} if slug != card_id else {}
    card = dict(game_of(card_set).new_card(given, card_set))
    change, line = _place(wish, documents, card, card_id)
    _check(wish, change)
    pictures: list[OtherFile] = []
    if data is not None:
        pictures.append((wish.folder / PurePosixPath(picture), partial(bytes, data)))
    added = CardAdded(
        id=card_id,
        numbered="id" not in wish.values and slug in taken,
        file=change.file,
        line=line,
        picture=picture,
        copied=data is not None,
        loose=loose,
    )
    return added, change, pictures


def _ids_in(document: Document) -> Iterator[str]:
    for node in document.mappings:
        given, name = node.get("id"), node.get("name")
        if isinstance(given, Scalar):
            yield given.value
        elif isinstance(name, Scalar):
            yield ids.slug(name.value)


# --- its file -------------------------------------------------------------------------------------------------------


def _documents(folder: Path) -> Iterator[Document]:
    """Yield the card files of the set that can be read; the others say what is wrong with them in every command."""
    for file in card_files(folder):
        with suppress(Refused):
            yield reader.read(file, folder)


def _place(
    wish: CardWish, documents: Sequence[Document], card: Mapping[str, NewValue], card_id: str
) -> tuple[FileChange, int]:
    """Return the change of the file for the card, and the number of the card's line."""
    if wish.file is None and documents and all(isinstance(document.root, Nodes) for document in documents):
        head = head_of_new(wish.folder)  # the author gives each card a file of its own
        text = head + "".join(f"{line}\n" for line in write_mapping(card))
        return FileChange(free_file(wish.folder, card_id, ".yaml"), "", text), 1 + head.count("\n")
    file = wish.file or _usual_file(wish, documents)
    is_there = os.path.lexists(file)
    before = reader.read_text(file, wish.folder) if is_there else ""
    added = with_card(before if is_there else head_of_new(wish.folder), file, card)
    if added is None:
        message = f"`{file}` is no list of cards, each behind a dash, so no card can be added to it"
        raise Refused(
            [Diagnostic("S025", message, "name another card file with --to; it is made if there is none").at()]
        )
    text, line = added
    return FileChange(file, before, text), line


def _usual_file(wish: CardWish, documents: Sequence[Document]) -> Path:
    """Return the last file with a card of the kind, else the only one, else the file of first cards."""
    lists = [document for document in documents if isinstance(document.root, NodeList)]
    for document in reversed(lists):
        if any(isinstance(kind := card.get("kind"), Scalar) and kind.value == wish.kind for card in document.mappings):
            return document.file
    there = card_files(wish.folder)
    return there[0] if len(there) == 1 else wish.folder / NEW_FILE


def _check(wish: CardWish, change: FileChange) -> None:
    """Raise Refused if the set says anything against the new card that it does not say without it."""
    files = {*card_files(wish.folder), *table_files(wish.folder)}
    _, findings = set_reader.read_set(Source(wish.folder, tuple(sorted(files))))
    before = {(finding.code, finding.message) for finding in findings}
    _, findings = set_reader.read_set(
        Source(wish.folder, tuple(sorted({*files, change.file}))), {change.file: change.after}
    )
    new = [finding for finding in findings if (finding.code, finding.message) not in before]
    if has_errors(new):
        # The file does not hold the card, so there is no place to show.
        raise Refused([replace(_in_words_of_command(finding, wish), span=None) for finding in new])


def _in_words_of_command(finding: Diagnostic, wish: CardWish) -> Diagnostic:
    """Return what is wrong as the command line has it: a value stands behind its key and `=`, a picture is an option."""
    field, key = finding.field, finding.field.rpartition(".")[2]
    if finding.code == "C004" and key == ART:
        return replace(finding, hint="name its picture with --art FILE")
    if finding.code == "C004" and key:
        meant = re.search(rf"`{re.escape(key)}: (.*?)`", finding.hint)
        return replace(finding, hint=f"give it in the command, such as `{key}={meant[1] if meant else '...'}`")
    if field in wish.values and finding.message.startswith("expected "):
        hint = finding.hint.replace(f"`{field}: ", f"`{field}=")
        return replace(finding, message=f"`{field}`: {finding.message}", hint=hint)
    return finding


# --- its picture ----------------------------------------------------------------------------------------------------


def _picture(wish: CardWish, card_id: str) -> tuple[str, bytes | None, tuple[str, ...]]:
    """Return the picture as the card names it, its bytes if it has to be copied, and what lay ready beside it."""
    if wish.without_art or "art" in wish.values:
        return "", None, ()
    if wish.art is not None:
        return *_bring(wish, wish.art, card_id), ()
    loose = [name for name in loose_pictures(wish.folder) if _is_usable(wish.folder / name)]
    named = [name for name in loose if ids.slug(PurePosixPath(name).stem) in (card_id, ids.slug(wish.name))]
    ready = named or loose
    return (ready[0], None, ()) if len(ready) == 1 else ("", None, tuple(ready))


def _is_usable(file: Path) -> bool:
    try:
        check_picture(read_picture(file))
    except UnusablePicture:
        return False
    return True


def _bring(wish: CardWish, art: Path, card_id: str) -> tuple[str, bytes | None]:
    """Return a picture as the card names it, and its bytes if it lies outside the set; Refused if it is unusable."""
    try:
        data = read_picture(art)
        check_picture(data)
    except UnusablePicture as unfit:
        problem = unfit.problem
        raise Refused([replace(problem, message=f"the picture `{art}` {problem.message}").at()]) from None
    home, real = (Path(os.path.realpath(each)) for each in (wish.folder, art))
    if real.is_relative_to(home):
        return real.relative_to(home).as_posix(), None
    folder, name = wish.folder / ART, f"{card_id}{art.suffix.lower()}"
    for there in (folder / art.name, folder / name):
        if there.is_file() and there.read_bytes() == data:
            return f"{ART}/{there.name}", None
    ours = free_file(folder, art.stem, art.suffix)
    if ours.name != art.name:  # it is taken, or not for every system
        ours = free_file(folder, card_id, art.suffix.lower())
    return f"{ART}/{ours.name}", data


# --- sets -------------------------------------------------------------------------------------------------------------


class Beginning(Struct, frozen=True):
    """A set to begin: its folder, the paper of its sheets as in `sheet:`, and what its game is asked for."""

    folder: Path
    name: str
    paper: str
    edition: int | None = None


def begin(game: AnyGame, beginning: Beginning) -> list[Path]:
    """Write the files of a new set and return them; in a folder with card files, only `set.yaml`.

    Refused, with all of them, if there are files in the way. ValueError if the game has no such set. OSError.
    """
    folder = beginning.folder
    files = game.first_files(folder, beginning.name, beginning.edition, beginning.paper)
    if _files_with_cards(folder):
        files = {SET_FILE: files[SET_FILE]}
    if in_the_way := _in_the_way(folder, files):
        raise Refused(in_the_way)
    card_set, _ = read_set(Source(folder), {folder / SET_FILE: files[SET_FILE].decode()})
    assert card_set is not None, "a game begins a set that can be read"
    return _write(card_set, files)


def begin_game(beginning: Beginning, table: Path | None) -> tuple[AnyGame, list[Path]]:
    """Write the files of a new set with a game of its own, for the cards of a table if one is given; return both.

    Refused, with all of them, if there are files in the way, or if the table cannot be read. ValueError if its rows
    cannot be cards. OSError.
    """
    from render.game.declared.game import DeclaredGame
    from render.game.declared.new_game import first_game
    from render.game.declared.reading.game_rules import understood

    folder = beginning.folder
    files = first_game(beginning.name, beginning.paper, table)
    own = {name for name in files if table and table.parent.resolve() == folder.resolve() and (folder / name).is_file()}
    files = {name: data for name, data in files.items() if name not in own}
    others = [file for file in _files_with_cards(folder) if file.name not in own]
    hint = f"begin the game with a table by --from {others[0]}, or name another folder" if others else ""
    there = [Diagnostic("S024", f"`{folder}` has cards already: `{file.name}`", hint).at() for file in others[:1]]
    if in_the_way := [*_in_the_way(folder, files), *there]:
        raise Refused(in_the_way)
    rules, findings = understood(files[GAME_FILE].decode(), folder)
    if rules is None:
        raise Refused(findings)
    game = DeclaredGame(rules)
    return game, _write(game.new_set(folder, beginning.name), files)


def _files_with_cards(folder: Path) -> list[Path]:
    return [file for file in (*card_files(folder), *table_files(folder)) if file.is_file()] if folder.is_dir() else []


def _write(card_set: GameSet, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files of a set, with its schemas, and return them."""
    folder = card_set.folder
    contents = {
        folder / PurePosixPath(name): begin_with_line(name, data.decode()).encode() if name.endswith(".yaml") else data
        for name, data in files.items()
    }
    for file, text in schemas_of_set(card_set).items():
        # A folder that is a link may lead anywhere.
        if not (os.path.lexists(file) or file.parent.is_symlink()):
            contents[file] = text.encode()
    replace_files((file, partial(bytes, data)) for file, data in contents.items())
    return [*contents]


def _in_the_way(folder: Path, files: Iterable[str]) -> list[Diagnostic]:
    """Return an error for each file that exists, whatever the case of its name: some systems do not tell them apart."""
    if os.path.lexists(folder / SET_FILE):
        hint = "`kotc new` adds a card to it; name another folder to begin another set"
        return [Diagnostic("S024", f"`{folder}` is a set already: it has a `{SET_FILE}`", hint).at()]
    there = dict.fromkeys(filter(None, (_existing(folder, PurePosixPath(name).parts) for name in files)))
    hint = "name another folder"
    return [Diagnostic("S024", f"`{each}` exists, and nothing is overwritten", hint).at() for each in there]


def _existing(folder: Path, parts: tuple[str, ...]) -> Path | None:
    """Return what stands where a file is to be written, or in place of a folder on the way; None if nothing does."""
    if not folder.is_dir():
        return folder if os.path.lexists(folder) else None
    first, *rest = parts
    same = sorted(each.name for each in folder.iterdir() if folded(each.name) == folded(first))
    if rest and first in same:
        return _existing(folder / first, tuple(rest))
    return folder / same[0] if same else None
