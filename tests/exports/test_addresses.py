"""Outputs at addresses: the bytes that a folder has, whole or not at all, and what is said if it cannot be."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import render
from render.base.addresses import Address, read_place
from render.base.files import replace_files
from render.exports.picture_files import PictureFolder, picture_jobs
from render.png.canvas import Canvas
from render.png.workers import Workers, make
from render.png.writer import Done
from tests.support.messages import words
from tests.support.sets import kotc, write_set

fsspec = pytest.importorskip("fsspec", reason="the extra `url` is not installed")

CARDS = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for n in range(24))


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_set(in_empty_folder: Path) -> Iterator[None]:
    write_set(in_empty_folder / "zoo", CARDS)
    store = fsspec.filesystem("memory")
    store.store.clear()
    store.pseudo_dirs[:] = [""]
    yield


def memory(name: str) -> bytes:
    return bytes(fsspec.filesystem("memory").cat_file(f"/box/{name}"))


def local(name: str) -> bytes:
    return Path("box", name).read_bytes()


def box(protocol: str) -> str:
    """Return the address of a folder that is not there yet; `local` is one on the disk, of which fsspec knows."""
    return "memory://box" if protocol == "memory" else f"{protocol}://{Path.cwd()}/box"


READERS: dict[str, Callable[[str], bytes]] = {"memory": memory, "local": local, "file": local}


@pytest.mark.usefixtures("all_cores")
@pytest.mark.parametrize("protocol", READERS)
def test_pictures_and_sheets_are_those_of_a_folder(protocol: str) -> None:
    sheets = ("pdf", "zoo", "--sheets-per-file", "2", "--out")
    assert kotc("png", "zoo", "--dpi", "72", "--out", "here").exit_code == kotc(*sheets, "here/a.pdf").exit_code == 0
    made = kotc("png", "zoo", "--dpi", "72", "--workers", "2", "--out", f"{box(protocol)}/png")
    assert made.exit_code == 0, made.output
    printed = kotc(*sheets, f"{box(protocol)}/a.pdf")
    assert printed.exit_code == 0, printed.output
    if protocol != "file":
        assert made.stderr == f"Test: 24 PNGs in {box(protocol)}/png\n"
        assert f"Test: 3 sheets in {box(protocol)}/a-1.pdf and a-2.pdf\n" in printed.stderr
    read = READERS[protocol]
    for file in Path("here").iterdir():
        assert read(file.name if file.suffix == ".pdf" else f"png/{file.name}") == file.read_bytes()


@pytest.mark.parametrize("protocol", ["memory", "local"])
def test_workers_elsewhere_write_what_they_can_and_send_digests_back(protocol: str) -> None:
    (card_set,) = render.load_sets("zoo")
    folder = PictureFolder(render.lay_out_set(card_set).faces, Address(box(protocol)), card_set.sheet)
    jobs = picture_jobs([folder], Canvas(72))
    sent: list[Future[Any]] = []

    class Pool(ThreadPoolExecutor):
        def submit(self, *given: Any, **named: Any) -> Future[Any]:
            sent.append(super().submit(*given, **named))
            return sent[-1]

    told: list[int] = []
    with Pool(2) as pool:
        results = list(make(jobs, Workers(executor=pool, made=told.append)))
    assert all(isinstance(result, Done) for result in results)
    assert sum(told) == len(results) == 24
    # What is in the memory of one process, others do not see.
    written = [isinstance(outcome, Done) for future in sent for outcome in future.result()[0]]
    assert written == [protocol == "local"] * 24
    assert READERS[protocol]("card-3.png").startswith(b"\x89PNG")


def test_the_library_writes_to_addresses() -> None:
    sets, folder = render.load_sets("zoo"), render.Address("memory://box")
    assert render.write_sheets(sets, folder / "a.pdf") == [folder / "a.pdf"]
    assert render.write_pngs(sets, folder, dpi=72)[3] == folder / "card-3.png"
    assert memory("a.pdf") == render.write_sheets(sets, "here.pdf")[0].read_bytes()
    for write in (render.write_sheets, render.write_pngs):
        with pytest.raises(ValueError, match=r"write `render.Address\('memory://box/a.pdf'\)` for an address"):
            write(sets, "memory://box/a.pdf")


@pytest.mark.parametrize("protocol", ["memory", "local"])
def test_of_what_cannot_be_made_or_written_nothing_is_seen(protocol: str) -> None:
    def fail() -> Iterator[bytes]:
        yield b"some"
        raise ValueError("no")

    folder = Address(box(protocol))
    with pytest.raises(ValueError, match="no"):
        replace_files([(folder / "a", lambda: b"new"), (folder / "b", fail)])
    assert not fsspec.core.url_to_fs(folder.url)[0].exists("/box") and not Path("box").exists()
    replace_files([(folder / "a", lambda: b"old"), (folder / "b" / "c", lambda: b"")])
    with pytest.raises(OSError, match=r"[Ii]s a directory") as error:
        replace_files([(folder / "a", lambda: b"new"), (folder / "b", lambda: b"new")])
    assert error.value.filename == str(folder / "b")
    assert READERS[protocol]("a") == b"old"
    store, path = fsspec.core.url_to_fs(folder.url)
    assert sorted(each.rpartition("/")[2] for each in store.find(path)) == ["a", "c"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://bucket/a.pdf", "`s3://bucket/a.pdf`: its protocol needs another package: Install s3fs to access S3"),
        ("none://a.pdf", "`none://a.pdf`: protocol not known: none"),
        ("ftp://me:secret@127.0.0.1:9/a.pdf", "`ftp://me:…@127.0.0.1:9/a.pdf`: connection refused"),
    ],
)
def test_an_address_that_cannot_be_used_is_said_before_anything_is_made(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    result = kotc("pdf", "nowhere", "--out", address)
    assert (result.exit_code, words(result.stderr)) == (3, f"error: cannot use {said} [E001]")


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    result = kotc("png", "zoo", "--out", "memory://box")
    missing = "addresses need the package `fsspec`: pip install 'kotc[url]'"
    assert (result.exit_code, words(result.stderr)) == (3, f"error: cannot use `memory://box`: {missing} [E001]")


@pytest.mark.parametrize("command", ["build zoo", "cut zoo", "shop pdf-a2b zoo", "table zoo --for folder"])
def test_other_commands_say_that_they_need_a_folder(command: str) -> None:
    result = kotc(*command.split(), "--out", "memory://box")
    assert result.exit_code == 2
    assert "this command writes into folders of this machine, and not to `memory://box`" in words(result.stderr)
    assert kotc("pdf", "zoo", "--out", "memory://box/a.png").exit_code == 2
    assert sorted(path.name for path in Path().iterdir()) == ["zoo"]


def test_an_address_has_what_paths_have() -> None:
    address = Address("s3://bucket/cards") / "a.b.pdf"
    assert (address.name, address.stem, address.suffix) == ("a.b.pdf", "a.b", ".pdf")
    assert address.with_name("c-1.pdf") == Address("s3://bucket/cards/c-1.pdf")
    assert str(Address("sftp://me:secret@host/a")) == "sftp://me:…@host/a"
    assert read_place("file:///a%20b/c.pdf") == Path("/a b/c.pdf")
    for path in ("a/b.pdf", "c:/a.pdf", "c://a.pdf", "a:b", "s3:/a"):
        assert read_place(path) == Path(path)
