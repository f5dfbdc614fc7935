"""Outputs at addresses: the bytes that a folder has, whole or not at all, and what is said if it cannot be."""

import os
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
def _in_a_folder_with_a_set(
    in_empty_folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Nothing is known yet of what lies at the addresses."""
    monkeypatch.setenv("KOTC_STORE", str(tmp_path_factory.mktemp("store")))
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


# --- builds ---------------------------------------------------------------------------------------------------------


def built(protocol: str, *flags: str) -> str:
    """Build the set at an address and return what is said."""
    result = kotc("build", "zoo", "--out", box(protocol), *flags)
    assert result.exit_code == 0, result.output
    return result.stderr


def files_at(protocol: str) -> dict[str, bytes]:
    """Return what lies at the address, but for the record."""
    store, path = fsspec.core.url_to_fs(f"{box(protocol)}/zoo")
    start = f"{path}/"
    found = {name.removeprefix(start): store.cat_file(name) for name in store.find(path)}
    return {name: data for name, data in found.items() if name != ".kotc.json"}


def edit(old: str, new: str) -> None:
    file = Path("zoo/cards.yaml")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def few_pngs(in_empty_folder: Path) -> None:
    """Let the set have small PNGs."""
    with (in_empty_folder / "zoo/set.yaml").open("a", encoding="utf-8") as stream:
        stream.write("outputs: {png: {dpi: 72}, sheets: true}\n")


@pytest.mark.usefixtures("few_pngs")
@pytest.mark.parametrize("protocol", ["memory", "local"])
def test_a_build_at_an_address_has_the_bytes_of_one_in_a_folder_and_sends_what_changed(protocol: str) -> None:
    assert "24 PNGs and 3 sheets in" in (said := built(protocol)) and "(25 written, 0 unchanged; 25 sent)" in said
    assert f" in {box(protocol)}/zoo (" in said
    assert "(0 written, 25 unchanged; nothing to send)" in built(protocol)
    edit("name: Card 3,", "name: Fox,")
    assert f"in {box(protocol)}/zoo (2 outputs would be made, 1 removed)" in built(protocol, "--dry-run")
    assert "(2 written, 23 unchanged, 1 removed; 2 sent, 1 removed there)" in built(protocol)
    assert kotc("build", "zoo", "--out", "here").exit_code == 0
    files = {path.relative_to("here/zoo").as_posix(): path for path in Path("here/zoo").rglob("*") if path.is_file()}
    files.pop(".kotc.json")
    assert files_at(protocol) == {name: path.read_bytes() for name, path in files.items()}


@pytest.mark.usefixtures("few_pngs")
@pytest.mark.parametrize("protocol", ["memory", "local"])
def test_the_copies_of_this_machine_may_vanish(protocol: str) -> None:
    built(protocol)
    before = files_at(protocol)
    assert "MB more are copies of what `kotc build` sent to addresses" in kotc("store").stderr
    assert kotc("store", "--clear").exit_code == 0
    assert "copies" not in kotc("store").stderr
    assert "(25 written, 0 unchanged; nothing to send)" in built(protocol)
    assert "25 sent" in built(protocol, "--force")
    assert files_at(protocol) == before


@pytest.mark.usefixtures("few_pngs")
@pytest.mark.parametrize("protocol", ["memory", "local"])
@pytest.mark.parametrize("is_recorded", [True, False])
def test_what_somebody_put_at_an_address_stays(protocol: str, is_recorded: bool) -> None:
    store, path = fsspec.core.url_to_fs(f"{box(protocol)}/zoo")
    if is_recorded:
        built(protocol)
        edit("- {name: Card 3, kind: minion, level: 1, sp: 1, hp: 0}\n", "")
    store.makedirs(f"{path}/png", exist_ok=True)
    store.pipe_file(f"{path}/png/card-3.png", b"somebody's")
    if is_recorded:
        assert "removed there" not in built(protocol)
    else:
        result = kotc("build", "zoo", "--out", box(protocol))
        assert result.exit_code == 3
        assert f"`{box(protocol)}/zoo/png/card-3.png`: no build remembers this file" in words(result.stderr)
        assert [*files_at(protocol)] == ["png/card-3.png"]
    assert files_at(protocol)["png/card-3.png"] == b"somebody's"
    built(protocol, "--force")
    assert (files_at(protocol)["png/card-3.png"] == b"somebody's") is is_recorded


@pytest.mark.usefixtures("few_pngs")
def test_an_upload_that_was_stopped_goes_on_even_if_cards_changed_since() -> None:
    Path("box/zoo/png/card-23.png/in-the-way").mkdir(parents=True)
    result = kotc("build", "zoo", "--out", box("local"))
    assert result.exit_code == 3 and "s a directory" in result.stderr
    assert {".kotc.journal", "png/card-0.png"} <= files_at("local").keys()
    assert not Path("box/zoo/.kotc.json").exists()
    Path("box/zoo/png/card-23.png/in-the-way").rmdir()
    Path("box/zoo/png/card-23.png").rmdir()
    edit("name: Card 0, kind: minion, level: 1, sp: 1", "name: Card 0, kind: minion, level: 2, sp: 2")
    built("local")
    assert len(files_at("local")) == 25
    assert "25 files, all unchanged" in built("local", "--verify")


@pytest.mark.usefixtures("few_pngs")
def test_what_a_stopped_upload_may_have_sent_is_sent_again_though_it_has_the_size_of_the_old_file() -> None:
    built("local")
    kept = {name: Path("box/zoo", name).read_bytes() for name in ("png/card-3.png", "png/card-23.png", ".kotc.json")}
    edit("name: Card 3, kind: minion, level: 1, sp: 1", "name: Card 3, id: card-3, kind: minion, level: 2, sp: 2")
    edit("name: Card 23,", "name: Fox, id: card-23,")
    Path("box/zoo/png/card-23.png").unlink()
    Path("box/zoo/png/card-23.png").mkdir()
    assert kotc("build", "zoo", "--out", box("local")).exit_code == 3
    Path("box/zoo/png/card-23.png").rmdir()
    # As if the upload had ended before the first file.
    for name, data in kept.items():
        Path("box/zoo", name).write_bytes(data)
    padded = Path("box/zoo/png/card-3.png")
    size = next(Path().rglob("outputs/*/zoo/png/card-3.png"), padded).stat().st_size
    padded.write_bytes(kept["png/card-3.png"][:size].ljust(size, b"\0"))
    built("local")
    assert "25 files, all unchanged" in built("local", "--verify")


@pytest.mark.usefixtures("few_pngs")
def test_copies_here_that_lost_their_record_stop_no_build() -> None:
    built("local")
    for record in Path(os.environ["KOTC_STORE"]).rglob("zoo/.kotc.json"):
        record.unlink()
    edit("name: Card 3,", "name: Fox, id: card-3,")
    assert "(25 written, 0 unchanged; 2 sent)" in built("local")


@pytest.mark.parametrize("name", ["a::b", "c[1]*"])
def test_a_set_goes_to_an_address_under_its_name_or_not_at_all(name: str) -> None:
    Path("zoo").rename(name)
    result = kotc("build", name, "--out", "memory://box")
    if "::" in name:
        assert result.exit_code == 2
        assert "`a::b` cannot be part of an address, where `::` has a meaning: rename the folder" in words(
            result.stderr
        )
    else:
        assert result.exit_code == 0, result.output
        assert f"/box/{name}/sheets.pdf" in fsspec.filesystem("memory").store


@pytest.mark.usefixtures("few_pngs")
def test_messages_name_the_address_and_not_the_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    result = kotc("build", "zoo", "--out", "memory://box", "--since-print")
    assert "nothing in `memory://box/zoo` is marked as printed" in words(result.stderr)
    Path("no-folder").write_text("")
    monkeypatch.setenv("KOTC_STORE", "no-folder")
    result = kotc("build", "zoo", "--out", "memory://box")
    assert result.exit_code == 3
    assert words(result.stderr).endswith(
        "not a directory; say with --store where copies of what is sent are to lie [E001]"
    )


@pytest.mark.usefixtures("few_pngs")
@pytest.mark.parametrize("protocol", ["memory", "local"])
def test_an_address_is_verified_and_keeps_what_was_printed(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        f"nothing was built in `{box(protocol)}/zoo`" in kotc("build", "zoo", "--out", box(protocol), "--verify").stderr
    )
    assert kotc("build", "zoo", "--out", box(protocol), "--mark-printed").exit_code == 1
    built(protocol)
    built(protocol, "--mark-printed")
    edit("name: Card 3,", "name: Fox, id: card-3,")
    monkeypatch.setenv("KOTC_STORE", str(Path("another-machine").absolute()))
    assert f"1 card changed (card-3): 1 copy on 1 sheet in {box(protocol)}/zoo/changed.pdf" in built(
        protocol, "--since-print"
    )
    assert f"{box(protocol)}/zoo: 26 files, all unchanged" in built(protocol, "--verify")
    store, path = fsspec.core.url_to_fs(f"{box(protocol)}/zoo")
    store.pipe_file(f"{path}/changed.pdf", b"")
    store.rm_file(f"{path}/sheets.pdf")
    damage = kotc("build", "zoo", "--out", box(protocol), "--verify")
    assert damage.exit_code == 1
    assert f"`{box(protocol)}/zoo/changed.pdf` was changed after the build" in words(damage.stderr)
    assert f"`{box(protocol)}/zoo/sheets.pdf` is missing" in words(damage.stderr)


@pytest.mark.usefixtures("few_pngs")
def test_the_library_builds_at_addresses() -> None:
    (made,) = render.build_sets("zoo", Address("memory://box"))
    assert (made.place, made.idle) == (Address("memory://box/zoo"), False)
    (again,) = render.build_sets("zoo", Address("memory://box"))
    assert again.idle and len(files_at("memory")) == 25


# --- what cannot be -------------------------------------------------------------------------------------------------


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    result = kotc("png", "zoo", "--out", "memory://box")
    missing = "addresses need the package `fsspec`: pip install 'kotc[url]'"
    assert (result.exit_code, words(result.stderr)) == (3, f"error: cannot use `memory://box`: {missing} [E001]")


@pytest.mark.parametrize("command", ["watch zoo", "cut zoo", "shop pdf-a2b zoo", "table zoo --for folder"])
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
    assert str(Address("ftp://me:s@cr/et@host/a")) == "ftp://me:…@host/a"
    assert str(Address("ftp://e:e@here/e")) == "ftp://e:…@here/e"
    assert str(Address("https://host/a?sig=secret")) == "https://host/a?…"
    assert (Address("s3://") / "a", Address("local:///") / "a") == (Address("s3://a"), Address("local:///a"))
    assert Address("s3://a//") / "b" == Address("s3://a/b")
    assert read_place("file:///a%20b/c.pdf") == Path("/a b/c.pdf")
    for path in ("a/b.pdf", "c:/a.pdf", "c://a.pdf", "a:b", "s3:/a"):
        assert read_place(path) == Path(path)
