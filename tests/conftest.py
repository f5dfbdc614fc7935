"""Laws are tried on the same examples in every run, so that a failure is the same for everyone who sees it."""

import ctypes
import gc
import os
import platform
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from render.base import progress

settings.register_profile("steady", derandomize=True, deadline=None, database=None, max_examples=60)
settings.register_profile("thorough", deadline=None, database=None, max_examples=1000)
settings.load_profile("steady")

# What is collected stays until the end: to look for garbage in it, again and again, takes a third of the collection.
gc.disable()

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that is stopped in tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No test sees or changes the printers of whoever runs it.
_CONFIGURATION = TemporaryDirectory(prefix="kotc-config-")
os.environ["KOTC_CONFIG"] = _CONFIGURATION.name
os.environ["KOTC_STORE"] = str(Path(_CONFIGURATION.name) / "store")

# A second process for a few cards takes a third of a small build: it would copy all that the tests keep in memory.
_CORES = getattr(os, "sched_getaffinity", None)

# On a machine that takes long, work in this process and its forks would say so among what tests compare.
progress.show_progress = lambda total, thing, *_: progress.Progress(total, thing)

# Programs that tests start find their modules compiled, as installed ones do, whatever this machine's setting says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False  # and pytest keeps the tests as it compiled them: that takes some seconds


# As the program itself does: threads that share what numpy multiplies wait for each other in loops.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# Pictures of some megabytes take memory that was given back a moment ago: each time, the system would make it anew.
_MALLOC = ctypes.CDLL(None) if "glibc" in platform.libc_ver() else None
if _MALLOC:
    for option in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
        _MALLOC.mallopt(option, 1 << 28)

# Tests write many small files: in memory, where there is room for them.
_MEMORY = Path("/dev/shm")
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 8_000_000_000:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one process more than there are cores: an eighth of its time, each waits for others, or for a clock."""
    return (len(_CORES(0)) if _CORES else os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import another share of the modules first in each process, so that each is compiled by one, and not by all."""
    process = getattr(session.config, "workerinput", None)
    if process and session.config.args == session.config.getini("testpaths"):
        here = Path(__file__).parent
        names = [".".join(file.relative_to(here.parent).with_suffix("").parts) for file in here.rglob("test_*.py")]
        for name in sorted(names)[int(process["workerid"][2:]) :: process["workercount"]]:
            with suppress(Exception, pytest.skip.Exception):  # which the collection says
                import_module(name)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest test first: at the end, all other processes would wait for the one that has it."""
    items.sort(key=lambda item: not item.nodeid.endswith("test_code.py::test_the_code_passes[types]"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Look for garbage again, but never in what was collected; and let what runs in this process see a single core."""
    gc.enable()
    gc.freeze()
    if _CORES:
        os.sched_getaffinity = lambda _: {0}


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Let nobody look for garbage five times more before this process ends: that takes two seconds."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _gives_memory_back() -> Iterator[None]:
    """A fork takes the longer, the more memory its process keeps, even if nothing is in it: 0.07 s for a gigabyte."""
    yield
    if _MALLOC:
        _MALLOC.malloc_trim(0)


@pytest.fixture(autouse=True)
def _gives_ctrl_c_back() -> Iterator[None]:
    """What a test leaves to be done at a signal would be done in another one, and might end the process."""
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture
def all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work be shared with a second process, as on most machines."""
    if _CORES:
        monkeypatch.setattr(os, "sched_getaffinity", _CORES)


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder of the test's own, so that places are as short as an author's."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
