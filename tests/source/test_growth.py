"""What many mistakes cost: the time of a check grows with their number, not faster."""

import time
from pathlib import Path

from render.game.sources import check_sets
from render.lsp.answers import outline
from render.lsp.checking import OpenFiles
from tests.games.declared.lanterns import FILES, write_files
from tests.support.marked_texts import document_of


def cpu_time(folder: Path, keys: int) -> float:
    """Return the least of three CPU times of a check of a card with so many unknown keys."""
    unknown = "".join(f"  key{number}: {number}\n" for number in range(keys))
    write_files(folder, {**FILES, "cards.yaml": f"- name: Dog\n  kind: token\n{unknown}"})
    times = []
    for _ in range(3):
        begin = time.process_time()
        assert len(check_sets([folder]).findings) >= keys
        times.append(time.process_time() - begin)
    return min(times)


def test_unknown_keys_cost_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    cpu_time(tmp_path, 100)  # what is imported and kept
    # Eight times as many; a quadratic check took 50 times as long.
    assert cpu_time(tmp_path, 16_000) < 24 * cpu_time(tmp_path, 2_000)


def outline_time(folder: Path, keys: int) -> float:
    """Return the CPU time of the first outline of a card with so many unknown keys."""
    unknown = "".join(f"  key{number}: {number}\n" for number in range(keys))
    text = f"- name: Dog {keys}\n  kind: token\n{unknown}"
    write_files(folder, {**FILES, "cards.yaml": text})
    files = OpenFiles(lambda _: None)
    files.put(folder / "cards.yaml", text)
    begin = time.process_time()
    with files.reading():
        (card,) = outline(document_of(folder / "cards.yaml", text), None)
    assert card.name == f"Dog {keys}"
    return time.process_time() - begin


def test_an_outline_costs_a_time_that_grows_with_the_file(tmp_path: Path) -> None:
    outline_time(tmp_path, 100)
    assert outline_time(tmp_path, 16_000) < 24 * outline_time(tmp_path, 2_000)
