"""Built sets for tests: what lies in their folders, and builds that are stopped."""

import gc
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from tests.support.sets import kotc

NOT_COMPARED = ("seen", "made", "checksum")
"""What the manifest says of how files look on this disk."""


def built(folder: Path, *flags: str) -> str:
    """Build a set beside its folder and return what is said."""
    result = kotc("build", folder, "--out", folder.parent / "out", *flags)
    assert result.exit_code == 0, result.output
    return result.output


def copied(home: Path, to: Path) -> None:
    """Copy a set that was built, with what was made of it, into a folder: a build of it knows its files again."""
    shutil.copytree(home, to, dirs_exist_ok=True)


def tree(out: Path) -> dict[str, str]:
    """Return the digest of every file, hidden ones too; of the manifest, of what does not depend on the disk."""
    return {path.relative_to(out).as_posix(): _digest(path) for path in sorted(out.rglob("*")) if path.is_file()}


def times(out: Path) -> dict[str, tuple[int, int]]:
    """Return the time of change and the inode of every file."""
    found = {path.relative_to(out).as_posix(): path.stat() for path in sorted(out.rglob("*")) if path.is_file()}
    return {name: (status.st_mtime_ns, status.st_ino) for name, status in found.items()}


def rewritten(before: dict[str, tuple[int, int]], out: Path) -> set[str]:
    """Return the files that are not those that were there before, apart from the manifest."""
    now = times(out)
    return {name for name in {*before, *now} if before.get(name) != now.get(name)} - {".kotc.json"}


def is_whole(file: Path) -> bool:
    """Whether a file ends as its format does."""
    data = file.read_bytes()
    match file.suffix:
        case ".png":
            return data.startswith(b"\x89PNG") and data.endswith(b"IEND\xaeB`\x82")
        case ".pdf":
            return data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
        case ".html":
            return data.rstrip().endswith(b"</html>")
    return bool(data)


def check_truth(out: Path) -> None:
    """Check that outputs are whole, and that the manifest is that of files that are or were there."""
    for file in out.rglob("*"):
        if file.is_file() and not file.name.startswith("."):
            assert is_whole(file), file
    manifest = out / ".kotc.json"
    if manifest.exists():
        json.loads(manifest.read_text(encoding="utf-8"))


def forked(*arguments: str | Path, said: Path | None = None) -> int:
    """Begin a command in a child of this process, which has its modules, and return its process id.

    It ends with the status of the command, after it has written to `said` what was said. Only POSIX systems can fork.
    """
    child = os.fork()
    if child:
        return child
    gc.freeze()  # to look for garbage in what is shared would copy it
    status = 70
    try:
        result = kotc(*arguments)
        status = result.exit_code
        if said:
            said.write_text(result.output, encoding="utf-8")
    finally:
        os._exit(status)


def ended(child: int) -> int:
    """Wait for a child, and return its exit status, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _digest(path: Path) -> str:
    data = path.read_bytes()
    if path.name == ".kotc.json":
        said = json.loads(data)
        data = json.dumps({key: value for key, value in said.items() if key not in NOT_COMPARED}).encode()
    return hashlib.sha256(data).hexdigest()


def without_progress(said: str) -> str:
    """Return what a command said without how far it was, which it says every ten seconds if the machine is slow."""
    return re.sub(r"^\d+ of \d+ PNGs.*\n", "", said, flags=re.MULTILINE)
