"""Scenes at rest: of a large set, what its faces show lies in a temporary file until somebody asks for it."""

from __future__ import annotations

import pickle

from render.base.geometry import Size
from render.base.spill import Part, Spill
from render.scene.items import Item, Scene

MANY = 2000  # cards: the scenes of fewer take less memory than the program itself

Packed = tuple[Size, bytes]
"""A scene as it is sent to the process that puts it to rest."""


class SceneAtRest(Scene, frozen=True):
    """A scene whose items are read again each time that they are asked for."""

    part: Part

    def __post_init__(self) -> None:
        # Who replaces its items makes a new scene: those of this one are never asked for.
        assert not Scene.items.__get__(self)  # type: ignore[attr-defined] # behind the property

    @property  # type: ignore[misc] # a field there
    def items(self) -> tuple[Item, ...]:
        items: tuple[Item, ...] = pickle.loads(self.part.read())
        return items

    def __reduce__(self) -> tuple[type[Scene], tuple[Size, tuple[Item, ...]]]:
        return Scene, (self.size, self.items)


def pack(scene: Scene, _is_back: bool = False) -> Packed:
    """Return a scene packed."""
    return scene.size, pickle.dumps(scene.items, pickle.HIGHEST_PROTOCOL)


def put_to_rest(spill: Spill, packed: Packed) -> SceneAtRest:
    """Return a packed scene at rest."""
    size, data = packed
    return SceneAtRest(size, (), spill.put(data))
