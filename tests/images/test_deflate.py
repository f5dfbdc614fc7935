"""Deflate: what is packed comes back, and is the same bytes wherever in memory it is packed."""

import random
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.images.deflate import in_segments, joined, segment

THREADS = 4  # each has a stack and a heap of its own
PATTERNS = 12_000


def test_packed_bytes_come_back() -> None:
    chance = random.Random(1)
    for length in (*range(300), 32_767, 32_768, 32_769, 65_536, 65_826, 150_000):
        for data in (bytes(length), chance.randbytes(length), (chance.randbytes(40) * (length // 40 + 1))[:length]):
            assert zlib.decompress(in_segments([data])) == data


@given(st.lists(st.binary(max_size=400), max_size=6))
def test_segments_come_back_in_order_and_each_alone(parts: list[bytes]) -> None:
    packed = [segment(part) for part in parts]
    assert zlib.decompress(joined(packed, parts)) == b"".join(parts)
    assert [zlib.decompress(joined([each], [part])) for each, part in zip(packed, parts, strict=True)] == parts


def patterns() -> list[bytes]:
    """Return pieces of data whose third to sixth byte come again: each finds them at another place of a hash table."""
    chance = random.Random(2)
    pieces = [(chance.randbytes(2), chance.randbytes(4), chance.randbytes(30)) for _ in range(PATTERNS)]
    return [start + again + between + again + between[::-1] for start, again, between in pieces]


@pytest.mark.parametrize("pack", [segment, lambda data: in_segments([data])])
def test_every_thread_packs_to_the_same_bytes(pack: Callable[[bytes], bytes]) -> None:
    data, all_there = patterns(), Barrier(THREADS)

    def packed() -> list[bytes]:
        all_there.wait()
        return [pack(each) for each in data]

    with ThreadPoolExecutor(THREADS) as pool:
        first, *others = [task.result() for task in [pool.submit(packed) for _ in range(THREADS)]]
    assert all(other == first for other in others)
