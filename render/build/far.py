"""Outputs at an address: made in a folder of this machine that stands for it, and sent from there as far as they changed.

What lies at the address has its own record: the manifest of the build that was sent there last, which is sent once all
else is there. Until then a journal there names what is on its way, so that after an upload that was stopped, the next one
knows whose the files are. Nothing there is locked: of two machines that send at once, the last one wins.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from render.base.addresses import Address, digest_far, read_far, remove_far, send_far, sizes_far
from render.base.files import remove_file, replace_file
from render.build import manifest as manifests
from render.build.manifest import JOURNAL, MANIFEST, PRINTED, NotOurs, as_journal

_COPIES = "outputs"  # the folder, in that of the store, of all that stands for addresses
_UNUSED = 90 * 86_400  # seconds after which a copy is removed, as entries of the store are


def stand_in(address: Address, store: Path | None) -> Path:
    """Return the folder that stands for an address: it lies in that of the store, and may vanish. OSError.

    What stood for others, and was not used for long, is removed.
    """
    if store is None:
        raise OSError(errno.ENOENT, "your account has no folder for caches: say with --store where copies are to lie")
    folder = store / _COPIES / hashlib.sha256(address.url.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    with suppress(FileNotFoundError):
        os.utime(folder)
    for other in copies(store):
        if time.time() - other.stat().st_mtime > _UNUSED:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def copies(store: Path) -> list[Path]:
    """Return the folders in that of a store that stand for addresses."""
    return sorted((store / _COPIES).iterdir()) if (store / _COPIES).is_dir() else []


def size_of_copies(store: Path) -> int:
    """Return how many bytes they take."""
    files = (file for folder in copies(store) for file in folder.rglob("*"))
    return sum(file.stat().st_size for file in files if file.is_file())


def forget_copies(store: Path) -> None:
    """Remove them: the next build makes what it needs again, and sends what differs. OSError."""
    for folder in copies(store):
        shutil.rmtree(folder)


def fetch_print(folder: Path, address: Address) -> None:
    """Bring what was noted at an address of the last print, for a build to compare with. OSError."""
    data = read_far(address / PRINTED)
    if data:
        replace_file(folder / PRINTED, data, folder.parent)
    elif (folder / PRINTED).is_file():
        remove_file(folder / PRINTED, folder.parent)


def note_print(folder: Path, address: Address) -> bool:
    """Note that the outputs at an address are printed; False if nothing, or only part of it, was built there. OSError."""
    data = read_far(address / MANIFEST)
    is_whole = bool(data) and manifests.read_at(address).complete
    if is_whole:
        replace_file(folder / PRINTED, data, folder.parent)
        send_far([(address / PRINTED, folder / PRINTED)])
    return is_whole


def send(folder: Path, address: Address, *, forced: bool = False) -> tuple[int, int]:
    """Bring an address up to date with a folder that stands for it; return how many files were sent and removed.

    If it is `forced`, all are sent. NotOurs for a file there that no build remembers, OSError.
    """
    now, before, there = manifests.read(folder), manifests.read_at(address), sizes_far(address)
    files, known = now.files, before.files
    changed = [
        name
        for name, digest in files.items()
        if forced or known.get(name) != digest or there.get(name) != (folder / name).stat().st_size
    ]
    if not forced:
        strange = {name for name in changed if name in there and name not in known and name not in before.ours}
        same = {name for name in strange if digest_far(address / name) == files[name]}
        if theirs := sorted(strange - same):
            raise NotOurs(str(address / theirs[0]))
        changed = [name for name in changed if name not in same]
    if changed:
        on_their_way = {
            name: record for name, record in now.outputs.items() if not record.files.keys().isdisjoint(changed)
        }
        replace_file(address / JOURNAL, read_far(address / JOURNAL) + as_journal(on_their_way))
        send_far([(address / name, folder / name) for name in changed])
    gone = [name for name in {*known, *before.ours} - files.keys() if name in there]
    # A file that somebody has changed or put there is theirs.
    gone = [name for name in gone if before.is_ours(name, digest_far(address / name))]
    left = [
        name
        for name in there
        if name.rpartition("/")[2].startswith(".") and name.endswith(".part") and ".kotc-" in name
    ]
    for name in (*gone, *left):
        remove_far(address / name)
    if (
        changed
        or gone
        or not before.complete
        or read_far(address / MANIFEST) != manifests.read_beside(folder / MANIFEST)
    ):
        send_far([(address / MANIFEST, folder / MANIFEST)])
    if changed or JOURNAL in there:
        remove_far(address / JOURNAL)
    return len(changed), len(gone)
