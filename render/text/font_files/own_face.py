"""Names of faces from font files of a set: texts that also know their file, so that every process can open it.

A scene names faces by texts. That of a bundled face is all there is to know; these carry the rest. They are pickled
whole, and equal names mean equal content, wherever the file lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from render.base.caches import stored

Location = tuple[tuple[str, float], ...]
"""A place in a variable font: the value of each axis, in the order of their tags; empty for a font without axes."""

_SHOWN = 16  # hex digits of the digest in a name: 64 bits tell all fonts of a set apart
_MAX_PLACES = 8  # paths of one file, the last ones: more folders with the same font are seldom open at a time
_PLACES: dict[str, tuple[Path, ...]] = stored({})


class OwnFace(str):
    """The name of a face of a set's own. `digest` is the SHA-256 of its file; a variable font stands at `location`.

    What is kept by a name, such as shaped words, holds the name that asked first. The `file` of that one may have
    changed since, while another folder still has the same: `places` are all paths at which names found it.
    """

    __slots__ = ("called", "digest", "file", "location")

    called: str
    file: Path
    digest: str
    location: Location

    def __new__(cls, called: str, file: Path, digest: str, location: Location = ()) -> OwnFace:
        axes = "".join(f" {tag}={value:g}" for tag, value in location)
        name = super().__new__(cls, f"{called}{axes} #{digest[:_SHOWN]}")
        name.called, name.file, name.digest, name.location = called, file, digest, location
        known = (each for each in _PLACES.get(digest, ()) if each != file)
        _PLACES[digest] = (file, *known)[:_MAX_PLACES]
        return name

    @property
    def places(self) -> tuple[Path, ...]:
        """Where its file may lie: where this name found it, then where others did, the last one first."""
        return (self.file, *(each for each in _PLACES.get(self.digest, ()) if each != self.file))

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.called, self.places, self.digest, self.location)


def _restored(called: str, places: Sequence[Path], digest: str, location: Location) -> OwnFace:
    """Return a name from another process, and know all places that it knows."""
    first, *others = places
    for place in reversed(others):
        OwnFace(called, place, digest, location)
    return OwnFace(called, first, digest, location)


class FaceChain(str):
    """The names of faces in the order in which they are asked for a character; bundled faces follow the last one."""

    __slots__ = ("faces",)

    faces: tuple[str, ...]

    def __new__(cls, faces: Sequence[str]) -> FaceChain:
        chain = super().__new__(cls, f"first of: {' | '.join(faces)}")
        chain.faces = tuple(faces)
        return chain

    def __reduce__(self) -> tuple[type[FaceChain], tuple[tuple[str, ...]]]:
        return FaceChain, (self.faces,)


CARRIED: dict[str, bytes] = {}
"""The bytes of fonts by their SHA-256, whose files lie on another machine."""


@contextmanager
def with_fonts(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Open fonts, within the block, from these bytes by their SHA-256, wherever their files lie."""
    CARRIED.update(contents)
    try:
        yield
    finally:
        for digest in contents:
            CARRIED.pop(digest, None)
