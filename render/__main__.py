"""`kotc`, and `python -m render`: the command line, which Ctrl-C also stops while it is being loaded."""

from __future__ import annotations

import sys
from contextlib import suppress


def main() -> None:
    """Run the command line; the exit status is 130 if it is stopped before it could say so itself."""
    try:
        from render.cli import main as command  # noqa: PLC0415 - loading it is what may be stopped
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)
    try:
        command(prog_name="kotc")
    except OSError as error:  # not even a message could be written, or the help
        with suppress(OSError, AttributeError):
            sys.stderr.write(f"error: {str(error.strerror or error).lower()} [E001]\n")
        sys.exit(3)


if __name__ == "__main__":
    main()
