"""What a cache of a bounded size keeps: what was used last, and no more bytes than it may."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from render.base.caches import BoundedCache, caches, clear_caches
from tests.support.messages import write
from tests.support.sets import kotc


@given(st.lists(st.integers(0, 12)), st.integers(0, 30))
def test_a_cache_keeps_what_was_used_last_as_far_as_it_fits(used: list[int], most: int) -> None:
    made: list[int] = []
    kept = BoundedCache[bytes](most, len)
    order: list[int] = []

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(number)

    for number in used:
        was_kept, before = number in order, len(made)
        assert kept.get(number, lambda number=number: make(number)) == bytes(number)  # type: ignore[misc]
        assert (len(made) == before) is was_kept
        order = [each for each in order if each != number] + [number]
        while sum(order) > most:
            order.pop(0)


def test_every_cache_of_a_run_is_listed_and_can_be_emptied(tmp_path: Path) -> None:
    clear_caches()
    a_set = {"set.yaml": "name: Zoo\nedition: 17\n", "ant.yaml": "name: Ant\nkind: minion\nlevel: 2\nsp: 1\nhp: 1\n"}
    done = kotc("build", str(write(tmp_path / "zoo", a_set)), "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    kept = {cache.name for cache in caches() if cache.count()}
    assert {"render.sheets.imposition.fit_grid", "render.text.fonts.face", "render.png.stamps.stamps"} <= kept
    clear_caches()
    assert not [cache.name for cache in caches() if cache.count() and not cache.by_content]
    assert any(cache.count() for cache in caches())
    for cache in caches():
        cache.clear()
    assert not any(cache.count() for cache in caches())


def test_a_cache_is_named_by_its_module_and_is_listed_once() -> None:
    names = [cache.name for cache in caches()]
    assert names == sorted(set(names))
    assert all(name.startswith("render.") for name in names)
