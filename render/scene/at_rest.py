"""Scenes at rest: of a large set, what its faces show lies in a temporary file until somebody asks for it."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable

from render.base.geometry import Size
from render.base.spill import Part, Spill
from render.scene.items import Item, Outline, Scene

MANY = 2000  # cards: the scenes of fewer take less memory than the program itself

Packed = tuple[Size, tuple[Outline, ...], bytes, str]
"""A scene as it is sent to the process that puts it to rest, with the digest of its first picture."""


class SceneAtRest(Scene, frozen=True, kw_only=True):
    """A scene whose items are read again each time that they are asked for."""

    part: Part
    picture: str

    @property
    def first_picture(self) -> str:
        return self.picture

    def __post_init__(self) -> None:
        # Who replaces its items makes a new scene: those of this one are never asked for.
        assert not Scene.items.__get__(self)  # type: ignore[attr-defined] # behind the property

    @property  # type: ignore[misc] # a field there
    def items(self) -> tuple[Item, ...]:
        items: tuple[Item, ...] = pickle.loads(self.part.read())
        return items

    def __reduce__(self) -> tuple[Callable[..., Scene], tuple[Size, bytes, tuple[Outline, ...]]]:
        return _awake, (self.size, self.part.read(), self.cut)


def _awake(size: Size, data: bytes, cut: tuple[Outline, ...]) -> Scene:
    return Scene(size, pickle.loads(data), cut)


def pack(scene: Scene, _is_back: bool = False) -> Packed:
    """Return a scene packed."""
    return scene.size, scene.cut, pickle.dumps(scene.items, pickle.HIGHEST_PROTOCOL), scene.first_picture


def put_to_rest(spill: Spill, packed: Packed) -> SceneAtRest:
    """Return a packed scene at rest."""
    size, cut, data, picture = packed
    return SceneAtRest(size, (), cut, part=spill.put(data), picture=sys.intern(picture))
