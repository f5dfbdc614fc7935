"""The files that outputs depend on: by labels that hold wherever the set lies, and read only if they look changed."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG

from render.base.addresses import Address, Place, digest_far
from render.base.files import user_folder
from render.base.reach import Folder, open_folder, real_path, sha256
from render.base.resources import FONTS, TEMPLATES
from render.build import manifest as manifests
from render.build.manifest import PROGRAM, Manifest, Stamp
from render.game.folder import Source
from render.game.registry import foreign_templates
from render.game.sources import sets_behind

PACKAGE = Path(__file__).resolve().parents[1]


def is_up_to_date(files: Source, folder: Path, known: Manifest, mark: str = "", asked: str = "") -> bool:
    """Return whether every input and output has the stamp of the last build, which found no error. No card is read.

    `mark` is that of the baseline to compare with, if any, and `asked` are the options of sheets that the command line
    gives.
    """
    if not known.complete or known.since.mark != mark or known.asked != asked:
        return False
    sets = sets_behind(files)
    labels = labels_of(files, sets)
    # The program last: a set that changed is found before the program's hundreds of files are looked at.
    return (
        known.cards == names_of_cards(files, sets)
        and all(file_stamp(labels.path(label)) == seen for label, seen in known.seen.items() if label != PROGRAM)
        and file_stamps(folder, known.made) == known.made
        and known.seen.get(PROGRAM) == program_stamp()
    )


def find_damage(folder: Place) -> tuple[int, list[str]] | None:
    """Return how many files were made, and words about those that changed or lack cards; None if nothing was built.

    OSError of an address.
    """
    known = manifests.read_at(folder) if isinstance(folder, Address) else manifests.read(folder)
    if not known.outputs:
        return None
    damage = [f"`{folder}` was built without the card `{card}`, which had an error" for card in known.missing]
    for name, digest in sorted(known.files.items()):
        now = sha256(folder / name, folder.parent) if isinstance(folder, Path) else digest_far(folder / name)
        if now != digest:
            damage.append(f"`{folder / name}` {'was changed after the build' if now else 'is missing'}")
    return len(known.files), damage


def names_of_cards(files: Source, sets: Sequence[Source]) -> tuple[str, ...]:
    """Return the names of all card files, in a deck with their set, to notice new ones; `sets` are those behind it."""
    if files.deck is None:
        return tuple(file.name for file in files.cards)
    return tuple(f"{number}/{file.name}" for number, each in enumerate(sets, start=1) for file in each.cards)


# --- how files look -------------------------------------------------------------------------------------------------


def file_stamp(file: Path | str) -> Stamp:
    """Return a file's stamp: its size, time of change and inode; None if it does not exist."""
    try:
        return _stamp(os.stat(file))
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None


def _stamp(status: os.stat_result) -> Stamp:
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def file_stamps(folder: Path, names: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamps of output files, by name; no link on the way to one is followed."""
    stamps: dict[str, Stamp] = {}
    with ExitStack() as stack:
        # A thousand PNGs lie in one folder, and the way to it is checked for links once.
        places: dict[str, Folder | None] = {}
        for name in names:
            way, _, last = name.rpartition("/")
            if way not in places:
                try:
                    places[way] = stack.enter_context(open_folder(folder / way, folder.parent))
                except (OSError, ValueError):  # ValueError: no file can have that name
                    places[way] = None
            place = places[way]
            status = place.look(last) if place else None
            stamps[name] = _stamp(status) if status and S_ISREG(status.st_mode) else None
    return stamps


# --- labels ---------------------------------------------------------------------------------------------------------


class Labels:
    """Names of files that are the same wherever the set, the program and the user's folder lie.

    A file of the set has its path within it, others begin with the folder that they lie in, such as `<fonts>/a.ttf`. A
    path within the set that begins like that gets `./` before it. Of a deck, `set_folder` is the one of its file, and
    `others` are the folders of its sets.
    """

    def __init__(self, set_folder: Path, others: Sequence[Path] = ()) -> None:
        user = user_folder("data")
        self._sets = {f"<set {number}>/": folder for number, folder in enumerate(others, start=1)}
        self._roots = {
            **self._sets,
            "": set_folder,
            "<templates>/": TEMPLATES,
            "<fonts>/": FONTS,
            "<kotc>/": PACKAGE,
            **({"<user>/": user / "kotc"} if user else {}),
            "<here>/": Path(),
            **{f"<game {name}>/": folder for name, folder in foreign_templates().items()},
        }
        self._known: dict[Path, str] = {}  # cards share pictures
        self._places = [
            (prefix, place)
            for prefix, root in self._roots.items()
            for place in dict.fromkeys((os.path.abspath(root) + os.sep, os.path.realpath(root) + os.sep))
        ]

    def label(self, file: Path) -> str:
        """Return the label of a file; its path, if it is in none of the folders."""
        if file not in self._known:
            self._known[file] = self._label(os.path.abspath(file))  # links are kept, unlike by Path.resolve
        return self._known[file]

    def _label(self, path: str) -> str:
        for prefix, place in self._places:
            if path.startswith(place):
                name = path[len(place) :].replace(os.sep, "/")
                return f"./{name}" if not prefix and name.startswith("<") else prefix + name
        return path

    def path(self, label: str) -> str:
        """Return the path of the file that a label means here."""
        prefix, inside = self._parts(label)
        return os.path.join(self._roots[prefix], inside)

    def real(self, label: str) -> Path | None:
        """Return the file that a label means, links followed; None if they lead out of the set."""
        prefix, file = self._parts(label)[0], Path(self.path(label))
        if prefix in self._sets:
            return real_path(file, self._sets[prefix])
        if prefix == "<here>/" or not (prefix or os.path.isabs(label)):
            return real_path(file, self._roots[prefix])
        return Path(os.path.realpath(file))

    def _parts(self, label: str) -> tuple[str, str]:
        first, slash, inside = label.partition("/")
        prefix = first + slash
        return (prefix, inside) if slash and first and prefix in self._roots else ("", label)


def labels_of(files: Source, sets: Sequence[Source]) -> Labels:
    """Return the labels of the files of a set or a deck; `sets` are those behind it."""
    return Labels(files.folder, [each.folder for each in sets] if files.deck else ())


class Inputs:
    """The inputs of one build. An input with the same stamp as before counts as unchanged, and is not read again."""

    def __init__(self, labels: Labels, before: Manifest) -> None:
        self.labels = labels
        self._before = before
        self._stamps: dict[str, Stamp] = {}
        self._digests: dict[str, str] = {}
        self._counted: set[str] = set()

    def note(self, *files: Path) -> None:
        """Take the stamps of files before they are read, so that later changes are noticed."""
        for file in files:
            label = self.labels.label(file)
            self.stamp(label)
            self._counted.add(label)

    def digest(self, label: str) -> str:
        """Return the SHA-256 of an input; "" if it does not exist."""
        self._counted.add(label)
        return self.peek(label)

    def digest_of(self, file: Path) -> str:
        """Return the SHA-256 of the file."""
        return self.digest(self.labels.label(file))

    def peek(self, label: str) -> str:
        """Return the SHA-256 of a file that may turn out not to be an input."""
        if label not in self._digests:
            now, known = self.stamp(label), self._before.inputs.get(label, "")
            # As git's index does: no file is read whose size, time and inode are the same.
            if known and now is not None and now == self._before.seen.get(label):
                self._digests[label] = known
            else:
                self._digests[label] = self._read(label) if now else ""
        return self._digests[label]

    def stamp(self, label: str) -> Stamp:
        """Return the first stamp of a file."""
        if label not in self._stamps:
            self._stamps[label] = file_stamp(self.labels.path(label))
        return self._stamps[label]

    @property
    def stamps(self) -> Mapping[str, Stamp]:
        """The first stamp of every input."""
        return {label: stamp for label, stamp in self._stamps.items() if label in self._counted}

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of the inputs that were asked for."""
        return {label: digest for label, digest in self._digests.items() if label in self._counted}

    def _read(self, label: str) -> str:
        file = self.labels.real(label)
        if file and file.is_dir():  # a folder counts by the names in it: fonts are looked for there
            names = sorted(each.name for each in file.iterdir())
            return hashlib.sha256(repr(names).encode("utf-8", "surrogateescape")).hexdigest()
        return sha256(file) if file else ""


# --- the program ----------------------------------------------------------------------------------------------------


_LIBRARIES = ("isal", "jinja2", "numpy", "pikepdf", "pillow", "reportlab", "resvg", "uharfbuzz")
_APART = ("__pycache__", "data")  # fonts, templates and editions in `data` are inputs of their own


def program_stamp() -> str:
    """Return a digest of the stamps of the program's files, which changes only with an installation."""
    files = [(file, file_stamp(file)) for file in _program_files()]
    installed = [(entry, os.stat(entry).st_mtime_ns) for entry in sys.path if entry.endswith("-packages")]
    return hashlib.sha256(repr((files, installed, sys.version)).encode("utf-8")).hexdigest()


@lru_cache(1)
def program_version(_stamp: str) -> str:
    """Return a digest of the program's code and data, and the versions of its libraries that affect the bytes.

    They are read again only if the stamp of the program is another one.
    """
    from importlib import metadata

    version = hashlib.sha256(sys.version.encode("utf-8"))
    for name in _LIBRARIES:
        try:
            version.update(f"{name} {metadata.version(name)}\n".encode())
        except metadata.PackageNotFoundError:
            version.update(f"{name} is not there\n".encode())
    for file in _program_files():
        version.update(f"{Path(file).relative_to(PACKAGE).as_posix()}\n".encode())
        version.update(Path(file).read_bytes())
    return version.hexdigest()


def _program_files() -> list[str]:
    """Return the paths of the files that decide what the program does, in order."""
    # With texts and one list: every build asks for hundreds of files, also if there is nothing else to do.
    files, folders = [], [str(PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    files += [] if entry.name.endswith(".md") else [entry.path]
                elif entry.name not in _APART:
                    folders.append(entry.path)
    return sorted(files)
