"""Outputs at an address: made in a folder of this machine that stands for it; what changed is sent from there.

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
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from render.base.addresses import Address, digest_far, read_far, remove_far, send_far, sizes_far
from render.base.files import remove_file, replace_file
from render.base.reach import ON_ITS_WAY
from render.build import manifest as manifests
from render.build.manifest import JOURNAL, LOCK, MANIFEST, PRINTED, NotOurs, as_journal

_COPIES = "outputs"  # the folder, in that of the store, of all that stands for addresses
_UNUSED = 90 * 86_400  # seconds after which a copy is removed, as entries of the store are


class NoPlaceForCopies(OSError):
    """The folder for what stands for addresses cannot be used; `hint` says what to do."""

    hint = "say with --store where copies of what is sent are to lie"


def stand_in(address: Address, store: Path | None) -> Path:
    """Return the folder that stands for an address: it lies in that of the store, and may vanish. NoPlaceForCopies.

    What stood for others, and was not used for long, is removed.
    """
    if store is None:
        raise NoPlaceForCopies(errno.ENOENT, "your account has no folder for caches")
    folder = store / _COPIES / hashlib.sha256(address.url.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    try:
        with suppress(FileNotFoundError):
            os.utime(folder)
        for other in copies(store):
            if time.time() - other.stat().st_mtime > _UNUSED:
                shutil.rmtree(other, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoPlaceForCopies(error.errno, error.strerror, str(folder)) from None
    return folder


def copies(store: Path) -> list[Path]:
    """Return the folders in that of a store that stand for addresses."""
    place = store / _COPIES
    return sorted(each for each in place.iterdir() if each.is_dir() and not each.is_symlink()) if place.is_dir() else []


def size_of_copies(store: Path) -> int:
    """Return how many bytes they take."""
    files = (file for folder in copies(store) for file in folder.rglob("*"))
    return sum(file.lstat().st_size for file in files if file.is_file())


def forget_copies(store: Path) -> None:
    """Remove them: the next build makes what it needs again, and sends what differs. Those that are in use stay."""
    for folder in copies(store):
        if not any(folder.rglob(LOCK)):
            shutil.rmtree(folder, ignore_errors=True)


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
    at_address = _AtAddress(address)
    made = manifests.read(folder)
    changed = [*made.files] if forced else at_address.differing(folder, made.files)
    if changed:
        sent = {name: each for name, each in made.outputs.items() if not each.files.keys().isdisjoint(changed)}
        replace_file(address / JOURNAL, at_address.journal + as_journal(sent))
        send_far([(address / name, folder / name) for name in changed])
    gone = at_address.unwanted(made.files)
    for name in (*gone, *at_address.left_over(made.files)):
        remove_far(address / name)
    if changed or gone or at_address.journal or at_address.manifest != manifests.read_beside(folder / MANIFEST):
        send_far([(address / MANIFEST, folder / MANIFEST)])
    if changed or at_address.journal:
        remove_far(address / JOURNAL)
    return len(changed), len(gone)


class _AtAddress:
    """What lies at an address, and what the record there says of it."""

    def __init__(self, address: Address) -> None:
        self._address, self._sizes = address, sizes_far(address)
        self.manifest, self.journal = read_far(address / MANIFEST), read_far(address / JOURNAL)
        self._digests = manifests.parse_with_journal(self.manifest, None).files
        # Of what was on its way, nobody knows whether it came, but it is ours.
        self._on_its_way = manifests.parse_with_journal(b"", self.journal).files
        self._record = manifests.parse_with_journal(self.manifest, self.journal)

    def differing(self, folder: Path, files: Mapping[str, str]) -> list[str]:
        """Return the names of files that are not there as they are in a folder; NotOurs if one there is somebody's."""
        differing = [
            name
            for name, digest in files.items()
            if name in self._on_its_way
            or self._digests.get(name) != digest
            or self._sizes.get(name) != (folder / name).stat().st_size
        ]
        ours = {*self._record.files, *self._record.ours}
        strange = [name for name in differing if name in self._sizes and name not in ours]
        same = {name for name in strange if digest_far(self._address / name) == files[name]}
        if theirs := [name for name in strange if name not in same]:
            raise NotOurs(str(self._address / theirs[0]), len(theirs))
        return [name for name in differing if name not in same]

    def unwanted(self, files: Mapping[str, str]) -> list[str]:
        """Return the names of files of ours other than these. One that somebody has changed or put there is theirs."""
        others = sorted({*self._record.files, *self._record.ours} - files.keys())
        there = (name for name in others if name in self._sizes)
        return [name for name in there if self._record.is_ours(name, digest_far(self._address / name))]

    def left_over(self, files: Mapping[str, str]) -> list[str]:
        """Return the names of what an upload to the folders of these files left that was killed."""
        folders = {"", *(name.rpartition("/")[0] for name in files)}
        hidden = (name for name in self._sizes if ON_ITS_WAY.fullmatch(name.rpartition("/")[2]))
        return [name for name in hidden if name.rpartition("/")[0] in folders]
