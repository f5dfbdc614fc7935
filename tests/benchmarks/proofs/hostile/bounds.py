"""Commands run within bounds: what each took and said, and whether it touched what it has no business with.

A command runs in a forked child of a process that has its modules loaded already, so that thousands of small cases cost
what the command itself costs. Only POSIX systems can fork, and only Linux tells who opens a file.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory, TemporaryFile
from typing import BinaryIO, NoReturn

from msgspec import Struct

import render
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

if sys.platform != "win32":
    import resource

SECONDS = 10.0
MIB = 600.0
_WALL = 30.0  # times the CPU seconds: a busy machine is no fault of the program
_CRASHED = 70
_OPENED, _CHANGED = 0x0020 | 0x0001, 0x0002 | 0x0004 | 0x0040 | 0x0080 | 0x0100 | 0x0200
_FOLDER = 0x40000000


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a command ended.

    `status` is its exit status, or minus the signal that ended it; `out` and `err` what it printed; `seconds` the CPU
    time of it and its children; `mib` the most memory that one process added to what it began with; `traceback` the
    exception that escaped, else nothing.
    """

    arguments: tuple[str, ...]
    status: int
    out: bytes
    err: bytes
    seconds: float
    mib: float
    traceback: str

    def faults(self, seconds: float = SECONDS, mib: float = MIB) -> list[str]:
        """Return what no input may cause, in words."""
        found = []
        if self.traceback or b"Traceback (most recent call last)" in self.err + self.out:
            found.append(f"a traceback: {self.traceback or self.err.decode(errors='replace')}")
        elif self.status not in (0, 1, 2, 3):
            found.append(f"ended with status {self.status}")
        if self.seconds > seconds:
            found.append(f"took {self.seconds:.1f} s, more than {seconds:g} s")
        if self.mib > mib:
            found.append(f"took {self.mib:.0f} MiB, more than {mib:g} MiB")
        return [f"kotc {' '.join(self.arguments)}: {fault}" for fault in found]


class Case(Struct, frozen=True):
    """One hostile input.

    `write` puts its files into an empty folder, in which `commands` are then run one after the other. `check` looks at
    the folder and the attempts, and returns what is wrong beyond what `Attempt.faults` finds.
    """

    name: str
    write: Callable[[Path], object]
    commands: tuple[tuple[str, ...], ...]
    check: Callable[[Path, Sequence[Attempt]], Sequence[str]] = lambda _folder, _attempts: ()


SOUND = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card."}
- {name: Two, kind: spell, level: 2, text: Draw 1 card.}
- {name: Three, kind: pawn}
- {name: Four, kind: tip, text: Read.}
"""


@cache
def load() -> None:
    """Import all modules and print a set, so that no child need import, read and compile what every command needs."""
    for module in walk_packages(render.__path__, "render."):
        import_module(module.name)
    with TemporaryDirectory() as folder:
        home = write_set(Path(folder) / "set", SOUND)
        for name in ("check", "explain"):
            kotc(name, home)
        for name, out in (("build", "out"), ("png", "png"), ("pdf", "own-back.pdf")):
            kotc(name, home, "--out", Path(folder, out))
        kotc("pdf", with_plain_back(home), "--out", Path(folder, "a.pdf"))  # our own takes a second to be read
        kotc("verify", Path(folder, "a.pdf"), "--set", home)
        kotc("preflight", Path(folder, "a.pdf"), "--as", "x-4")


def attempt(arguments: Sequence[str | Path], folder: Path, seconds: float = SECONDS, mib: float = MIB) -> Attempt:
    """Run `kotc` with these arguments in a folder; it is killed well above the bounds on CPU time and memory."""
    words = tuple(str(argument) for argument in arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    _give_back()
    began, beginning = os.pipe()
    with TemporaryFile() as out, TemporaryFile() as err, TemporaryFile() as escaped:
        child = os.fork()
        if child == 0:
            os.write(beginning, b"%d" % _pages()[1])  # less than this process has: its mapped files come when needed
            _child(words, folder, (out, err, escaped), _Limits(seconds, mib))
        status, usage = _waited_for(child, _WALL * seconds)
        texts = [_content(stream) for stream in (out, err, escaped)]
    before = int(os.read(began, 32))
    os.close(began)
    os.close(beginning)
    spent = usage.ru_utime + usage.ru_stime
    peak = max(usage.ru_maxrss / 1024 - before / 2**20, 0.0)
    return Attempt(words, status, texts[0], texts[1], spent, peak, texts[2].decode(errors="replace"))


def _give_back() -> None:
    """Give memory that is free back to the system: what a child took of it would not be seen."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def tried(case: Case, folder: Path) -> list[str]:
    """Write a case into an empty folder, run its commands, and return what is wrong, in words."""
    case.write(folder)
    attempts = [attempt(command, folder) for command in case.commands]
    faults = [fault for each in attempts for fault in each.faults()]
    return [f"{case.name}: {fault}" for fault in (*faults, *case.check(folder, attempts))]


@dataclass(frozen=True, slots=True)
class _Limits:
    seconds: float
    mib: float


def _child(
    words: Sequence[str], folder: Path, streams: tuple[BinaryIO, BinaryIO, BinaryIO], limits: _Limits
) -> NoReturn:
    """Run the command and end the process, whatever happens; what escapes goes to the third stream."""
    status = _CRASHED
    gc.freeze()  # to look for garbage in what is shared would copy it
    try:
        os.setsid()
        os.chdir(folder)
        for number, stream in ((1, streams[0]), (2, streams[1])):
            os.dup2(stream.fileno(), number)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - the process ends with it
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False, errors="backslashreplace")  # noqa: SIM115
        most = round(2 * limits.seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        room = _pages()[0] + round(3 * limits.mib * 2**20)
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        status = run_here(words)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        streams[2].write(traceback.format_exc().encode("utf-8", "backslashreplace"))
        streams[2].flush()
    os._exit(status)


def run_here(words: Sequence[str]) -> int:
    from render.__main__ import main

    sys.argv = ["kotc", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _waited_for(child: int, seconds: float) -> tuple[int, resource.struct_rusage]:
    handle = os.pidfd_open(child)
    try:
        if not select.select([handle], [], [], seconds)[0]:
            os.killpg(child, signal.SIGKILL)
    finally:
        os.close(handle)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage


def _content(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read()


def _pages() -> tuple[int, int]:
    """Return the address space of this process and what of it is in memory, in bytes."""
    size, resident, *_ = Path("/proc/self/statm").read_bytes().split()
    return int(size) * resource.getpagesize(), int(resident) * resource.getpagesize()


class Sentinels:
    """Files outside of a set that nothing may open or change; Linux tells of each attempt to."""

    WORDS = "Nobody but their owner may read these words."

    def __init__(self, folder: Path) -> None:
        """Write the files: what a hostile set would like to read, replace or remove."""
        self.folder = folder
        folder.mkdir(parents=True)
        for name in (".bashrc", "id_rsa", "minion.svg", "cards.yaml", "set.yaml", "picture.png", "sheets.pdf"):
            (folder / name).write_text(f"{name}: {self.WORDS}\n", encoding="utf-8")
        self._before = self._looks()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._handle < 0 or self._libc.inotify_add_watch(self._handle, os.fsencode(folder), _OPENED | _CHANGED) < 0:
            raise OSError(ctypes.get_errno(), "inotify", str(folder))

    def touched(self) -> list[str]:
        """Return what was opened or changed since the last call, in words."""
        found = dict.fromkeys(f"outside the set: {words}" for words in self._events())
        now = self._looks()
        found |= dict.fromkeys(
            f"outside the set: `{name}` is another file now"
            for name in sorted({*now, *self._before})
            if now.get(name) != self._before.get(name)
        )
        self._before = now
        return list(found)

    def close(self) -> None:
        """Stop watching."""
        os.close(self._handle)

    def _looks(self) -> dict[str, str]:
        found = {}
        for path in sorted(self.folder.iterdir()):
            is_file = path.is_file() and not path.is_symlink()
            found[path.name] = hashlib.sha256(path.read_bytes()).hexdigest() if is_file else "no file"
        if hasattr(self, "_handle"):
            self._events()  # those were ours
        return found

    def _events(self) -> list[str]:
        try:
            data = os.read(self._handle, 1 << 16)
        except BlockingIOError:
            return []
        at, found = 0, []
        while at < len(data):
            _, mask, _, length = struct.unpack_from("iIII", data, at)
            name = data[at + 16 : at + 16 + length].rstrip(b"\0").decode(errors="replace")
            at += 16 + length
            if not mask & _FOLDER:
                found.append(f"`{name}` was {'opened' if mask & _OPENED else 'changed'}")
        return found


def minutes_from_now(minutes: float) -> Callable[[], bool]:
    """Return what says whether so many minutes are over."""
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end
