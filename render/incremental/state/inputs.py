"""The files on which outputs depend: by labels that hold wherever the set lies, and read only if they look changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from stat import S_ISREG

from render.base.reach import Folder, open_regular, opened, real
from render.base.resources import FONTS, TEMPLATES
from render.game.folder import user_folder
from render.incremental.state.manifest import Manifest, Stamp

PACKAGE = Path(__file__).resolve().parents[2]

_USER = Path("kotc")
_LARGEST = 64 << 20  # bytes: what is larger is no input that can be used, and reading it would take long


def stamp(file: Path | str) -> Stamp:
    """Return how a file looks from outside."""
    try:
        status = os.stat(file)  # noqa: PTH116 - of thousands of outputs, whose names are texts
    except (OSError, ValueError):  # ValueError: no file can have that name
        return None
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def stamps(folder: Path, names: Iterable[str]) -> dict[str, Stamp]:
    """Return how files of outputs look from outside, by their names; no link on the way to one is followed."""
    found: dict[str, Stamp] = {}
    with ExitStack() as stack:
        places: dict[str, Folder | None] = {}
        for name in names:
            way, _, last = name.rpartition("/")
            if way not in places:
                try:
                    places[way] = stack.enter_context(opened(folder / way, folder.parent))
                except (OSError, ValueError):  # ValueError: no file can have that name
                    places[way] = None
            place = places[way]
            status = place.look(last) if place else None
            is_file = status is not None and S_ISREG(status.st_mode)
            found[name] = [status.st_size, status.st_mtime_ns, status.st_ino] if status and is_file else None
    return found


def sha256(file: Path, below: Path | None = None) -> str:
    """Return the digest of a file's bytes; empty if there is no such file, or none that can be read.

    `below` is as in `reach`.
    """
    try:
        with os.fdopen(open_regular(file, below), "rb") as stream:
            if os.fstat(stream.fileno()).st_size > _LARGEST and below is None:
                return ""
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):  # ValueError: no file can have that name
        return ""


def sha256_of_output(folder: Path, name: str) -> str:
    """Return the digest of a file of an output; empty if it is not there, or behind a link."""
    return sha256(folder / name, folder.parent)


class Labels:
    """Names of files that are the same wherever the set, the program and the user's folder lie.

    A file of the set is called by its path within it, others by the folder that they lie in, such as `<fonts>/a.ttf`. A
    path within the set that begins like one of these has `./` before it.
    """

    def __init__(self, set_folder: Path) -> None:
        user = user_folder()
        self._roots = {
            "": set_folder,
            "<templates>/": TEMPLATES,
            "<fonts>/": FONTS,
            "<kotc>/": PACKAGE,
            **({"<user>/": user / _USER} if user else {}),
            "<here>/": Path(),
        }
        self._places = [
            (prefix, place)
            for prefix, root in self._roots.items()
            for place in dict.fromkeys((os.path.abspath(root) + os.sep, os.path.realpath(root) + os.sep))  # noqa: PTH100
        ]

    def label(self, file: Path) -> str:
        """Return the label of a file; its path, if it lies in none of the folders."""
        path = os.path.abspath(file)  # noqa: PTH100 - links are kept, unlike by Path.resolve
        for prefix, place in self._places:
            if path.startswith(place):
                name = path[len(place) :].replace(os.sep, "/")
                return f"./{name}" if not prefix and name.startswith("<") else prefix + name
        return path

    def file(self, label: str) -> Path:
        """Return the file that a label means here."""
        root = self._root_of(label)
        return root / label.partition("/")[2] if root is not None else self._roots[""] / label

    def real(self, label: str) -> Path | None:
        """Return the file that a label means, links followed; nothing if they lead out of the set that it is of."""
        file, is_here = self.file(label), label.startswith("<here>/")
        is_ours = os.path.isabs(label) or (self._root_of(label) is not None and not is_here)  # noqa: PTH117 - no path yet
        return Path(os.path.realpath(file)) if is_ours else real(file, Path() if is_here else self._roots[""])

    def _root_of(self, label: str) -> Path | None:
        folder, slash, _ = label.partition("/")
        return self._roots.get(f"{folder}/") if slash and folder else None


class Inputs:
    """The inputs of one build. One that looks as it did is taken to hold what it held, and not read again."""

    def __init__(self, labels: Labels, manifest: Manifest) -> None:
        self.labels = labels
        self._known = manifest
        self._stamps: dict[str, Stamp] = {}
        self._digests: dict[str, str] = {}
        self._counted: set[str] = set()

    def note(self, *files: Path) -> None:
        """Look at files now, before they are read: whatever becomes of them later is a change."""
        for file in files:
            label = self.labels.label(file)
            self._stamp(label)
            self._counted.add(label)

    def count(self, labels: Iterable[str]) -> None:
        """Take note that outputs depend on these."""
        for label in labels:
            self.digest(label)

    def digest(self, label: str) -> str:
        """Return the SHA-256 of an input; empty if it is not there."""
        self._counted.add(label)
        return self.peek(label)

    def peek(self, label: str) -> str:
        """Return the SHA-256 of what may turn out to be no input any more."""
        if label not in self._digests:
            now = self._stamp(label)
            known = self._known.inputs.get(label, "")
            trusted = known and now is not None and now == self._known.seen.get(label)
            self._digests[label] = known if trusted else self._read(label) if now else ""
        return self._digests[label]

    def digest_of(self, file: Path) -> str:
        """Return the SHA-256 of the file."""
        return self.digest(self.labels.label(file))

    def seen(self, labels: Iterable[str]) -> Mapping[str, Stamp]:
        """Return how those inputs looked when they were first looked at."""
        return {label: self._stamp(label) for label in labels}

    @property
    def all_seen(self) -> Mapping[str, Stamp]:
        """How every input looked when it was first looked at."""
        return {label: stamp for label, stamp in self._stamps.items() if label in self._counted}

    @property
    def digests(self) -> Mapping[str, str]:
        """The SHA-256 of the inputs that were asked for."""
        return {label: digest for label, digest in self._digests.items() if label in self._counted}

    def _read(self, label: str) -> str:
        file = self.labels.real(label)
        return sha256(file) if file else ""

    def _stamp(self, label: str) -> Stamp:
        if label not in self._stamps:
            self._stamps[label] = stamp(self.labels.file(label))
        return self._stamps[label]
