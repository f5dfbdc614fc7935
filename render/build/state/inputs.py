"""The files that outputs depend on: by labels that hold wherever the set lies, and read only if they look changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from stat import S_ISREG

from render.base.reach import Folder, open_folder, open_regular, real_path
from render.base.resources import FONTS, TEMPLATES
from render.build.state.manifest import Manifest, Stamp
from render.game.folder import user_folder
from render.game.registry import foreign_templates

PACKAGE = Path(__file__).resolve().parents[2]

_USER = Path("kotc")
_LARGEST = 64 << 20  # bytes: a larger file is no usable input, and takes long to read


def file_stamp(file: Path | str) -> Stamp:
    """Return a file's stamp: its size, time of change and inode; None if it does not exist."""
    try:
        status = os.stat(file)  # noqa: PTH116 - of thousands of outputs, whose names are texts
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def file_stamps(folder: Path, names: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamps of output files, by name; no link on the way to one is followed."""
    found: dict[str, Stamp] = {}
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
            is_file = status is not None and S_ISREG(status.st_mode)
            found[name] = [status.st_size, status.st_mtime_ns, status.st_ino] if status and is_file else None
    return found


def sha256(file: Path, below: Path | None = None) -> str:
    """Return the SHA-256 of a file; "" if it does not exist or cannot be read.

    `below` is as in `reach`.
    """
    try:
        with os.fdopen(open_regular(file, below), "rb") as stream:
            # Outputs are ours and may be as large as they are.
            if os.fstat(stream.fileno()).st_size > _LARGEST and below is None:
                return ""
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):  # ValueError: no file can have that name
        return ""


def sha256_of_output(folder: Path, name: str) -> str:
    """Return the SHA-256 of an output file; "" if it does not exist, or lies behind a link."""
    return sha256(folder / name, folder.parent)


class Labels:
    """Names of files that are the same wherever the set, the program and the user's folder lie.

    A file of the set has its path within it, others begin with the folder that they lie in, such as `<fonts>/a.ttf`. A
    path within the set that begins like that gets `./` before it. Of a deck, `set_folder` is the one of its file, and
    `others` are the folders of its sets.
    """

    def __init__(self, set_folder: Path, others: Sequence[Path] = ()) -> None:
        user = user_folder()
        self._sets = {f"<set {number}>/": folder for number, folder in enumerate(others, start=1)}
        self._roots = {
            **self._sets,
            "": set_folder,
            "<templates>/": TEMPLATES,
            "<fonts>/": FONTS,
            "<kotc>/": PACKAGE,
            **({"<user>/": user / _USER} if user else {}),
            "<here>/": Path(),
            **{f"<game {name}>/": folder for name, folder in foreign_templates().items()},
        }
        self._places = [
            (prefix, place)
            for prefix, root in self._roots.items()
            for place in dict.fromkeys((os.path.abspath(root) + os.sep, os.path.realpath(root) + os.sep))  # noqa: PTH100
        ]

    def label(self, file: Path) -> str:
        """Return the label of a file; its path, if it is in none of the folders."""
        path = os.path.abspath(file)  # noqa: PTH100 - links are kept, unlike by Path.resolve
        for prefix, place in self._places:
            if path.startswith(place):
                name = path[len(place) :].replace(os.sep, "/")
                return f"./{name}" if not prefix and name.startswith("<") else prefix + name
        return path

    def file(self, label: str) -> Path:
        """Return the file that a label means here."""
        return Path(self.path(label))

    def path(self, label: str) -> str:
        """Return the path of that file: of a thousand inputs in turn, much sooner than `file`."""
        root = self._root_of(label)
        inside = label.partition("/")[2] if root is not None else label
        return os.path.join(root or self._roots[""], inside)  # noqa: PTH118 - a text, to be looked at and no more

    def real(self, label: str) -> Path | None:
        """Return the file that a label means, links followed; None if they lead out of the set."""
        file, is_here = self.file(label), label.startswith("<here>/")
        home = self._sets.get(f"{label.partition('/')[0]}/")
        if home:
            return real_path(file, home)
        is_ours = os.path.isabs(label) or (self._root_of(label) is not None and not is_here)  # noqa: PTH117 - no path yet
        return Path(os.path.realpath(file)) if is_ours else real_path(file, Path() if is_here else self._roots[""])

    def _root_of(self, label: str) -> Path | None:
        folder, slash, _ = label.partition("/")
        return self._roots.get(f"{folder}/") if slash and folder else None


class Inputs:
    """The inputs of one build. An input with the same stamp as before counts as unchanged, and is not read again."""

    def __init__(self, labels: Labels, manifest: Manifest) -> None:
        self.labels = labels
        self._known = manifest
        self._stamps: dict[str, Stamp] = {}
        self._digests: dict[str, str] = {}
        self._counted: set[str] = set()

    def note(self, *files: Path) -> None:
        """Take the stamps of files before they are read, so that later changes are noticed."""
        for file in files:
            label = self.labels.label(file)
            self._stamp(label)
            self._counted.add(label)

    def count(self, labels: Iterable[str]) -> None:
        """Record that outputs depend on these."""
        for label in labels:
            self.digest(label)

    def digest(self, label: str) -> str:
        """Return the SHA-256 of an input; "" if it does not exist."""
        self._counted.add(label)
        return self.peek(label)

    def peek(self, label: str) -> str:
        """Return the SHA-256 of a file that may turn out not to be an input."""
        if label not in self._digests:
            now = self._stamp(label)
            known = self._known.inputs.get(label, "")
            # As git's index does: no file is read whose size, time and inode are the same.
            trusted = known and now is not None and now == self._known.seen.get(label)
            self._digests[label] = known if trusted else self._read(label) if now else ""
        return self._digests[label]

    def digest_of(self, file: Path) -> str:
        """Return the SHA-256 of the file."""
        return self.digest(self.labels.label(file))

    def seen(self, labels: Iterable[str]) -> Mapping[str, Stamp]:
        """Return the first stamps of those inputs."""
        return {label: self._stamp(label) for label in labels}

    @property
    def all_seen(self) -> Mapping[str, Stamp]:
        """The first stamp of every input."""
        return {label: stamp for label, stamp in self._stamps.items() if label in self._counted}

    @property
    def digests(self) -> Mapping[str, str]:
        """The SHA-256 of the inputs that were asked for."""
        return {label: digest for label, digest in self._digests.items() if label in self._counted}

    def _read(self, label: str) -> str:
        file = self.labels.real(label)
        if file and file.is_dir():  # a folder counts by the names in it: fonts are looked for there
            names = sorted(each.name for each in file.iterdir())
            return hashlib.sha256(repr(names).encode("utf-8", "surrogateescape")).hexdigest()
        return sha256(file) if file else ""

    def _stamp(self, label: str) -> Stamp:
        if label not in self._stamps:
            self._stamps[label] = file_stamp(self.labels.path(label))
        return self._stamps[label]
