"""Try to decode a file in a process of its own, for files that do not tell how much memory decoding takes.

A lossless WebP may have 65,536 decoding tables of 20 KB each in a few megabytes and for few pixels. What an AVIF takes
depends on tools of AV1 that its boxes do not name.
"""

from __future__ import annotations

import subprocess
import sys

from render.images.files.parts import ANEW, PictureFile, UnusablePicture, named_kind

MAX_MEMORY = 480_000_000  # bytes: 400 million for pixels, as for any picture, and the file itself
_SECONDS = 8  # of processor time
_FAILED = 1
_CLASSES = {"WebP": "PIL.WebPImagePlugin.WebPImageFile", "AVIF": "PIL.AvifImagePlugin.AvifImageFile"}
_TRY = f"""
import resource, sys
from io import BytesIO
from pathlib import Path
from importlib import import_module
module = import_module(sys.argv[1].rpartition(".")[0])
module.DEFAULT_MAX_THREADS = 1  # each thread of an AVIF's decoder has memory of its own
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {MAX_MEMORY},) * 2)
resource.setrlimit(resource.RLIMIT_CPU, ({_SECONDS},) * 2)
try:
    getattr(module, sys.argv[1].rpartition(".")[2])(BytesIO(sys.stdin.buffer.read())).load()
except BaseException:
    sys.exit({_FAILED})
"""


def check_contained(kind: str, file: PictureFile) -> None:
    """Raise UnusablePicture if a WebP or AVIF cannot be decoded in bounded memory. Only Linux can bound it."""
    if sys.platform != "linux":
        return
    command = [sys.executable, "-P", "-c", _TRY, _CLASSES[kind]]
    try:
        tried = subprocess.run(command, input=file.data, capture_output=True, check=False)
    except OSError:
        return  # no process can be started: then decode it here, as any program does
    # Negative: killed by a signal, as beyond the limit of processor time.
    if tried.returncode == _FAILED or tried.returncode < 0:
        most = f"{MAX_MEMORY / 1e6:.0f} MB of memory or {_SECONDS} s"
        raise UnusablePicture(
            "A006", f"is {named_kind(kind)} that is damaged, or takes more than {most} to decode", ANEW
        )
