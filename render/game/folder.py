"""Find sets and decks: what a PATH on the command line means, and where a set's own files may be."""

from __future__ import annotations

import codecs
import os
import re
import shlex
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.files import permission_hint
from render.base.findings import Diagnostic, Refused, Severity, did_you_mean, listed
from render.base.patterns import regex
from render.base.reach import describe_escape, real_path, unsaved_content
from render.game.home import Layers, SetOrDeck
from render.game.registry import template_folders

SET_FILE = "set.yaml"
GAME_FILE = "game.yaml"
"""What cards of a game have, if that is written in YAML: beside `set.yaml`, or in a folder that this names."""

_MISNAMED = "set.yml"
_NEAR = 3  # folders above one without cards in which its set is looked for
_TEMPLATES = "templates"
_ENDINGS = (".yaml", ".yml")
TABLES = (".csv", ".tsv", ".ods", ".xlsx")
"""The endings of spreadsheets, whose rows are cards."""

_UNREAD = (".xls", ".xlsb", ".xlsm", ".xltx", ".numbers", ".fods", ".ots", ".gsheet")
"""The endings of other spreadsheets."""


class Source(Struct, SetOrDeck, frozen=True):
    """A set, by its folder and the card files to read, sorted by name; or a deck.

    `language` is the one in which its cards are to be printed; "" is the set's own. `variant` is that of the cards, "" for
    these as they are, and `layers` of templates are on or off whatever the set says. Of a deck, `deck` is its file,
    which lies in `folder`, and there are no card files.
    """

    folder: Path
    cards: tuple[Path, ...] = ()
    language: str = ""
    deck: Path | None = None
    variant: str = ""
    layers: Layers = ()

    @property
    def subfolder(self) -> str:
        """The folder in that of its outputs for another language than its own, and for a variant; "" for neither."""
        return "/".join(filter(None, (self.language, self.variant)))


def may_have_versions(files: Source) -> bool:
    """Return whether the file of a set may declare several languages, or variants, without reading it as YAML."""
    try:
        file = files.folder / SET_FILE
        is_own = real_path(file, files.folder) is not None
        return is_own and re.search(b"languages|variants", _content(file)) is not None
    except OSError:  # which is said where the set is read
        return False


_NAMED_GAME = rb"""(?m)^game[ \t]*:[ \t]*["']?([^"'\r\n#]*[./][^"'\r\n#]*)"""


def game_folder(folder: Path) -> Path | None:
    """Return the folder that the `set.yaml` in a folder seems to name as its game; None without one."""
    file = folder / SET_FILE
    try:
        status = file.stat()
        word = _named_game(file, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError):
        return None
    return Path(os.path.normpath(folder / word)) if word else None


# By time and size, as a watch asks for it again and again.
@cached(256)
def _named_game(file: Path, _changed: int, _size: int) -> str:
    content = file.read_bytes()[:_MUCH] if real_path(file, file.parent) else b""  # a link out of it is told later
    found = re.search(_NAMED_GAME, content) if b"game" in content else None
    return found[1].decode("utf-8", "replace").strip() if found else ""


def find_sources(paths: Iterable[Path]) -> tuple[list[Source], list[Diagnostic]]:
    """Return the sets and decks that the paths mean, each once, and what is wrong with the paths.

    A path is the folder of a set, a card file in one (then only its cards count, with those of other files of the same
    set), a folder whose subfolders are sets, or a deck file. Decks in folders are found only if they are named.
    """
    found: dict[Path, Source] = {}
    findings: list[Diagnostic] = []
    for path in paths:
        meant, wrong = _meant(path)
        findings += wrong
        if meant and path.is_dir() and all(files.folder != path for files in meant):  # a folder of sets
            loose = [name for name in _card_files(_names(path)) if not is_deck(path / name)]
            if loose:
                message = f"`{path}` is a folder of sets, and no set has {listed(loose, 'and')}"
                hint = "move card files into the folder of a set"
                findings.append(Diagnostic("P004", message, hint, severity=Severity.WARNING).at())
        for files in meant:
            # Two paths may mean one set, by a link or by two of its card files.
            known = found.setdefault(files.origin.resolve(), files)
            names = sorted({file.name for file in (*known.cards, *files.cards)})
            cards = tuple(known.folder / name for name in names)
            found[files.origin.resolve()] = replace(known, cards=cards)
    return list(found.values()), findings


Meant = tuple[list[Source], list[Diagnostic]]


def _meant(path: Path) -> Meant:
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():
            return _of_file(path)
        return [], [Diagnostic("P001", f"there is no `{path}`", did_you_mean(path.name, _names(path.parent))).at()]
    except OSError as error:
        return [], [_closed(path, error)]


def _in_folder(folder: Path) -> Meant:
    if SET_FILE in _names(folder):
        return [_whole_set(folder)], [*_not_read(folder), *_without_set(folder, folder)]
    sets, wrong = [], []
    for subfolder in (folder / name for name in _names(folder)):
        try:
            names = _names(subfolder)
        except OSError as error:  # the other folders are still sets
            wrong.append(_closed(subfolder, error))
            continue
        if SET_FILE in names and real_path(subfolder, folder) is None:
            message = f"the set `{subfolder}` {describe_escape(subfolder, f'`{folder}`')}"
            wrong.append(Diagnostic("P007", message, "to use it, give it as a PATH of its own").at())
        elif SET_FILE in names:
            sets.append(_whole_set(subfolder))
            wrong += [*_not_read(subfolder), *_without_set(subfolder, subfolder)]
        elif _misnamed(names):
            wrong.append(_no_set(subfolder))
    if sets:
        wrong += _without_set(folder, None)
    return sets, wrong if sets or wrong else [_no_set(folder)]


def _misnamed(names: Iterable[str]) -> str:
    """Return the likely name of a set's file if the right name is missing."""
    return next((name for name in names if name.lower() in (SET_FILE, _MISNAMED)), "")


def _without_set(folder: Path, home: Path | None) -> Iterator[Diagnostic]:
    """Yield a warning for each subfolder with cards but without a set: it lies beside sets, or inside one."""
    for subfolder in (folder / name for name in _names(folder)):
        try:
            names = _names(subfolder) if subfolder.is_dir() and real_path(subfolder, folder) else ()
            files = [subfolder / name for name in _card_files(names)]
            files = [file for file in files if file.name != GAME_FILE or not is_game(file)]
            if SET_FILE in names or _misnamed(names) or not any(map(_has_cards, files)):
                continue
        except OSError:  # reported where sets are looked for
            continue
        if home is None:
            message = f"`{subfolder}` has card files but no `{SET_FILE}`, and is ignored"
            hint = _creating(subfolder)
        else:
            message = f"`{subfolder}` has card files, but a set has them in its own folder: they are ignored"
            hint = f"move them into `{home}`, or begin the folder's name with a dot"
        yield Diagnostic("P005", message, hint, severity=Severity.WARNING).at()


_KIND = rb"""(?:^|[\s,{])["']?kind["']?\s*:"""
_MUCH = 1 << 16  # bytes, in which a card file mentions the kind of its first card


def _has_cards(file: Path) -> bool:
    """Return whether a file seems to hold cards; decks and rules of editions never mention a kind."""
    if real_path(file, file.parent) is None:
        return False
    status = file.stat()
    return stat.S_ISREG(status.st_mode) and _says_kind(file, status.st_mtime_ns, status.st_size)


# By time and size, so that a watch, which asks again and again, reads only what has changed.
@cached(256)
def _says_kind(file: Path, _changed: int, _size: int) -> bool:
    with file.open("rb") as stream:
        return re.search(_KIND, stream.read(_MUCH)) is not None


def _not_read(folder: Path) -> Iterator[Diagnostic]:
    """Yield a warning for each file in the folder of a set that seems to be meant for it, and is not read."""
    ours = _our_templates()
    for place in (folder / _TEMPLATES, folder):
        try:
            names = frozenset(_names(place))
        except OSError:  # which is said where a template is looked for in it
            continue
        if place == folder and _TEMPLATES not in names:
            yield from (_other_case(folder / name, _TEMPLATES) for name in sorted(names) if name.lower() == _TEMPLATES)
        for name in sorted(names - ours):  # that would replace a built-in template but for the case of its name
            if name.lower() in ours and name.lower() not in names:
                yield _other_case(place / name, name.lower())
    for name in _names(folder):
        if Path(name).suffix.lower() in _UNREAD and not name.startswith("~$"):
            yield _unread_table(folder / name, Severity.WARNING)


def _unread_table(file: Path, severity: Severity) -> Diagnostic:
    message = f"`{file}` is a spreadsheet that is not read"
    return Diagnostic("P009", message, "if it holds cards, save it as .xlsx, .ods or .csv", severity=severity).at()


def _other_case(path: Path, right: str) -> Diagnostic:
    message = f"`{path}` is ignored: its name must be exactly `{right}`"
    return Diagnostic("P006", message, f"rename it to `{right}`", severity=Severity.WARNING).at()


@cached(None)
def _our_templates() -> frozenset[str]:
    return frozenset(name for folder in template_folders() for name in _names(folder) if name.endswith(".svg"))


def _closed(folder: Path, error: OSError) -> Diagnostic:
    message = f"cannot look into `{folder}`: {(error.strerror or str(error)).lower()}"
    return Diagnostic("P003", message, permission_hint(error, folder)).at()


def _of_file(file: Path) -> Meant:
    if is_table(file):
        is_of_set = SET_FILE in _names(file.parent)
        return ([Source(file.parent, (file,))], []) if is_of_set else ([], [_no_set(file.parent)])
    if file.suffix.lower() in _UNREAD:
        return [], [_unread_table(file, Severity.ERROR)]
    if file.suffix.lower() not in _ENDINGS:
        message = f"`{file}` is neither a folder nor a card file"
        return [], [Diagnostic("P002", message, "card files end in `.yaml`").at()]
    if is_deck(file):
        return [Source(file.parent, deck=file)], []
    if SET_FILE not in _names(file.parent):
        return [], [_no_set(file.parent)]
    of_all = file.name == SET_FILE or is_words(file)
    return [_whole_set(file.parent) if of_all else Source(file.parent, (file,))], []


def _content(file: Path) -> bytes:
    """Return what a file holds, or what an editor has not saved of it; OSError."""
    unsaved = unsaved_content(file)
    return file.read_bytes() if unsaved is None else unsaved


_MARKS = (b"sets", b"cards")


def is_deck(file: Path) -> bool:
    """Return whether a file is a deck: written as one, or beside decks alone.

    It has `sets` and `cards`, which no card has. Where no set is, one of them is enough: it is told what it lacks.
    """
    if _is_written_as_deck(file):
        return True
    return file.suffix.lower() in _ENDINGS and file in decks_in(file.parent)


def _is_written_as_deck(file: Path) -> bool:
    try:
        content, names = _content(file), _names(file.parent)
    except OSError:
        return False
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # which is told when it is read
        content = content.decode("utf-16", "replace").encode()
    marks = [key for key in _MARKS if re.search(rb"""(?:^|[\s,{])["']?%s["']?\s*:""" % key, content)]
    if not marks:
        return False
    from render.source import reader
    from render.source.nodes import Mapping

    try:
        root = reader.read(file).root
        keys = [key for key in marks if isinstance(root, Mapping) and root.get(key.decode()) is not None]
    except Refused:  # it is still a deck if these are keys of the whole file
        keys = [key for key in marks if re.search(rb"^%s\s*:" % key, content, re.MULTILINE)]
    return len(keys) == len(_MARKS) or (bool(keys) and SET_FILE not in names and not _may_have_cards(file))


def _is_of_another_program(file: Path) -> bool:
    from render.source import reader
    from render.source.nodes import Mapping

    with suppress(Refused):
        root = reader.read(file).root
        return isinstance(root, Mapping) and not any(map(root.get, _KEYS_OF_DECKS))
    return False


_KEYS_OF_DECKS = ("name", "edition", "game", "sets", "cards")


def _may_have_cards(file: Path) -> bool:
    """Return whether a file seems to hold cards or a game, as decks do not; one that cannot be read does not."""
    try:
        return _has_cards(file) or _CARDS.search(_content(file)) is not None or file.name == GAME_FILE
    except OSError:
        return False


def _whole_set(folder: Path) -> Source:
    names = _names(folder)
    own = {GAME_FILE} if GAME_FILE in names and is_game(folder / GAME_FILE) else set()
    tables = (name for name in names if is_table(Path(name)))
    return Source(folder, tuple(folder / name for name in sorted((*_card_files(names), *tables)) if name not in own))


_CARDS = regex(
    rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n|---[^\n]*\n)*-[ \t\r\n](?![\w \t]+(?:\r?\n|\Z))|^kind[ \t]*:[ \t]*[^ \t\r\n#]",
    re.MULTILINE,
)
"""How a file of cards is written, and the file of a game is not: as a list of keys and values, or with a `kind`."""


def is_game(file: Path) -> bool:
    """Return whether a file called `game.yaml` is that of a game; cards of earlier sets may be in such a file.

    One that cannot be read is taken for a game: else its cards would be judged by the rules of another.
    """
    try:
        if not file.is_file():
            return False
    except OSError:
        return False
    try:
        return _CARDS.search(_content(file)) is None
    except OSError:
        return True


def way_between(folder: Path, other: Path) -> str:
    """Return the way from a folder to another as files name it: relative, with `/`, past all links."""
    there = os.path.realpath(other)
    try:
        return Path(os.path.relpath(there, os.path.realpath(folder))).as_posix()
    except ValueError:  # they lie on different drives
        return Path(there).as_posix()


def misnamed_game(folder: Path) -> Path | None:
    """Return the file of a game in a folder whose name is nearly right, such as `game.yml`; None if there is none."""
    files = (folder / name for name in _names(folder) if name.lower() in (GAME_FILE, "game.yml") and name != GAME_FILE)
    return next((file for file in files if is_game(file)), None)


def card_files(folder: Path) -> tuple[Path, ...]:
    """Return the card files in YAML in a folder, sorted by name; none if there is no such folder. It may be no set."""
    return tuple(file for file in _whole_set(folder).cards if not (is_table(file) or is_words(file)))


def deck_files(folder: Path) -> list[Path]:
    """Return the decks in a folder, whatever else it holds, sorted by name."""
    return [file for file in card_files(folder) if is_deck(file)]


def decks_near(folders: Iterable[Path]) -> list[Path]:
    """Return the decks beside sets and where the user is, in these folders and those directly in them."""
    places = {
        place.resolve(): place
        for base in (Path(), *(each for folder in folders for each in (folder, folder.parent)))
        for place in (base, *_open_subfolders(base))
    }
    found = []
    for place in places.values():
        with suppress(OSError):  # a folder that is closed to the user
            found += deck_files(place)
    return sorted(found)


def _open_subfolders(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")]
    return []


def _names(folder: Path) -> Sequence[str]:
    """Return the names in a folder, sorted, without hidden ones."""
    return sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith(".")) if folder.is_dir() else ()


def _card_files(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if Path(name).suffix.lower() in _ENDINGS and name != SET_FILE)


_WORDS = regex(r"words\.[a-z]{2,3}(-[a-z]{2,4})?\.ya?ml")


def is_words(file: Path) -> bool:
    """Return whether a file has, by its name, the words of cards in a language: `words.ja.yaml`."""
    return _WORDS.fullmatch(file.name) is not None


def is_table(file: Path) -> bool:
    """Return whether a file is a spreadsheet by its name; those that Excel puts beside an open file are not."""
    return file.suffix.lower() in TABLES and not file.name.startswith("~$")


def table_files(folder: Path) -> tuple[Path, ...]:
    """Return the spreadsheets in a folder, sorted by name; perhaps not all hold cards."""
    return tuple(file for name in _names(folder) if is_table(file := folder / name))


def _no_set(folder: Path) -> Diagnostic:
    names = _names(folder)
    if misnamed := _misnamed(names):
        return Diagnostic("S020", f"`{folder}` has no `{SET_FILE}`", f"rename its `{misnamed}` to `{SET_FILE}`").at()
    if GAME_FILE in names and is_game(folder / GAME_FILE):
        message = f"`{folder}` is the folder of a game, and no set: it has a `{GAME_FILE}` and no `{SET_FILE}`"
        begin = f"`kotc init --game {folder}`"
        hint = f"give the folder of a set whose `{SET_FILE}` names this one, or begin one with {begin}"
        return Diagnostic("S020", message, hint).at()
    if decks := decks_in(folder):
        hint = f"give the file of a deck, such as `{decks[0]}`; `kotc check {folder}` checks all of them"
        return Diagnostic("S020", f"`{folder}` has decks and no set", hint).at()
    if any(_card_files(names)) or any(is_table(Path(name)) for name in names):
        message = f"`{folder}` has card files but no `{SET_FILE}`"
        return Diagnostic("S020", message, _creating(folder)).at()
    message = f"there is no set in `{folder}`: neither the folder nor a subfolder has a `{SET_FILE}`"
    typed = shlex.quote(str(folder)) if os.name == "posix" else f'"{folder}"'
    hint = f"`kotc init {typed}` makes one there"
    for around in folder.absolute().parents[:_NEAR]:  # it may be a folder such as `art` or `out` in a set
        if (around / SET_FILE).is_file():
            named = around if folder.is_absolute() else Path(os.path.relpath(around))
            hint = f"it lies in the set `{named}`: give that one"
            break
    return Diagnostic("S020", message, hint).at()


def decks_in(folder: Path) -> list[Path]:
    """Return the decks in a folder that holds no set and no cards, sorted by name; none if it is something else.

    One that is written as a deck tells it; then each of the others is a deck, too, whatever is wrong with it, unless
    it has none of the keys by which a deck is known: then it is of another program.
    """
    names = _names(folder)
    files = [folder / name for name in _card_files(names)] if SET_FILE not in names else []
    written = [file for file in files if _is_written_as_deck(file)]
    others = [file for file in files if file not in written] if written else []
    if any(map(_may_have_cards, others)):
        return []
    return sorted([*written, *(file for file in others if not _is_of_another_program(file))])


def _creating(folder: Path) -> str:
    """Return the hint for a folder that should become a set."""
    title = folder.resolve().name.replace("-", " ").replace("_", " ").title() or "My Set"
    return f"create `{folder / SET_FILE}` with two lines, `name: {title}` and `edition: 17`"
