"""Images that were made last, as far as they fit into a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PIL import Image

V = TypeVar("V")


class Shelf(Generic[V]):
    """What was made last, as far as it fits into `room` bytes of pixels."""

    def __init__(self, room: int, image_of: Callable[[V], Image.Image]) -> None:
        self._room = room
        self._image_of = image_of
        self._kept: OrderedDict[Hashable, V] = OrderedDict()
        self._taken = 0

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = make()
        self._taken += self._size(made)
        while self._taken > self._room:
            self._taken -= self._size(self._kept.popitem(last=False)[1])
        return made

    def _size(self, value: V) -> int:
        image = self._image_of(value)
        return image.width * image.height * (1 if image.mode == "L" else 4)  # Pillow keeps RGB in 4 bytes
