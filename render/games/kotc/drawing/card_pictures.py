"""Pictures of cards inside a web page."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from render.game.faces import Faces
from render.png.paint import data_uris


def pictures(
    faces: Iterable[Faces], ids: Container[str], made: Callable[[int], object] = lambda _: None
) -> dict[str, str]:
    """Return the fronts of the cards with these ids as data URIs, by id; `made` is called for each."""
    fronts = {each.card.id: each.front for each in faces if each.card.id in ids}
    found = {}
    for name, uri in zip(fronts, data_uris(list(fronts.values())), strict=True):
        found[name] = uri
        made(1)
    return found
