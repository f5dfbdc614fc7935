"""`kotc`, and `python -m render`: the command line, which Ctrl-C also stops while it is being loaded."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from render.base import interrupts
from render.base.memory import lacks_memory
from render.cli import streams


def program() -> None:
    """Run the command line as a program of its own, which ends at once.

    To take apart all that it holds takes Python a tenth of the time of a short command; the system takes it as a whole.
    """
    statuses: list[int] = []
    atexit.register(_leave, statuses)  # as the first that is registered it runs last
    try:
        main()
    except SystemExit as ended:
        if isinstance(ended.code, int):
            statuses.append(ended.code)
        raise


def _leave(statuses: list[int]) -> None:
    if statuses:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):  # which Python tells in its own way
            return
        os._exit(statuses[0])


def main() -> None:
    """Run the command line; the exit status is 130 if Ctrl-C stops it before it can say so itself."""
    streams.guard()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy multiplies little here, and takes 30 MB for each thread
    interrupts.end_soon_at_interrupt()
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles, so collecting cycles finds almost nothing
    try:
        from render.cli.main import main as command

        command(prog_name="kotc")
    except KeyboardInterrupt:
        interrupts.end_stopped(lambda: streams.last_word("stopped"))
    except streams.Unread:
        sys.exit(0)
    except (MemoryError, ImportError, OSError) as error:
        if lacks_memory(error):  # perhaps for a library
            streams.last_word("error: there is not enough memory [E001]")
            sys.exit(3)
        if not isinstance(error, OSError):
            raise
        # Not even a message or the help could be written.
        streams.let_go(sys.stdout)
        where = f"cannot use `{error.filename}`" if error.filename else "cannot print"
        streams.last_word(f"error: {where}: {str(error.strerror or error).lower()} [E001]")
        streams.let_go(sys.stderr)
        sys.exit(3)
    finally:
        interrupts.wait_if_ending()


if __name__ == "__main__":
    program()
