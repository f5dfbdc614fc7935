"""The content stream of a page or a form as instructions: operators with their operands, as bytes.

Only the syntax that `kotc` writes is read. An approval must never rest on something that was not understood, so all
else is refused: strings in arrays, brackets in strings, inline pictures.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Sequence

from render.base.geometry import Affine

Instruction = tuple[bytes, list[bytes]]
"""An operator and its operands, each as it is written."""

# Tokens by ISO 32000-1, 7.2 and 7.3, as far as this program writes them.
_TOKEN = re.compile(
    rb"""
    (?P<space>  [\x00\t\n\x0c\r ]+ | %[^\r\n]*)
  | (?P<operand>
        [+-]?(?:\d+\.?\d*|\.\d+)(?![\d.+-])
      | /[^\x00\t\n\x0c\r ()<>\[\]{}/%]*
      | \[[^\[\]()%]*\]
      | \((?:[^()\\]|\\.)*\)
      | <<|>>
      | <[0-9A-Fa-f\x00\t\n\x0c\r ]*>
    )
  | (?P<operator> [A-Za-z'"][A-Za-z0-9*'"]*)
    """,
    re.VERBOSE | re.DOTALL,
)


_LONGEST = 1000  # words before an operator; the longest that is written is a dictionary with a dozen


class UnreadableContent(ValueError):
    """A content stream holds something that `kotc` does not write."""


class TimeBudget:
    """A bound on the seconds of processor time spent on contents; UnreadableContent when they are used up."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self._steps = 0

    def step(self) -> None:
        """Count one step, and look at the clock from time to time."""
        self._steps += 1
        if self._steps % 4096 == 0 and time.process_time() > self._end:
            self._steps -= 1  # so that the next step ends at once, too
            raise UnreadableContent("it takes too long")


def instructions(content: bytes) -> Iterator[Instruction]:
    """Yield the instructions of a content stream in order; UnreadableContent at the first thing that is none."""
    operands: list[bytes] = []
    at, end, words = 0, len(content), 0
    while at < end:
        token = _TOKEN.match(content, at)
        if token is None:
            raise UnreadableContent(f"what stands at byte {at} cannot be read")
        at = token.end()
        kind = token.lastgroup
        words += 1
        if kind == "operand":
            operands.append(token[0])
        elif kind == "operator":
            yield token[0], operands
            operands, words = [], 0
        if words > _LONGEST:
            raise UnreadableContent(f"an instruction has over {_LONGEST:,} words")
    if operands:
        raise UnreadableContent("it ends within an instruction")


def numbers(operands: Sequence[bytes], count: int) -> tuple[float, ...]:
    """Return the operands of an instruction that takes `count` numbers; UnreadableContent for anything else."""
    try:
        values = tuple(map(float, operands))
    except ValueError:
        values = ()
    if len(values) != count or not all(map(math.isfinite, values)):
        raise UnreadableContent(f"{count} numbers are expected, found `{b' '.join(operands)[:60].decode('latin-1')}`")
    return values


def matrix(operands: Sequence[bytes]) -> Affine:
    """Return the operands of `cm` as a map."""
    return Affine(*numbers(operands, 6))


def entries(operands: Sequence[bytes]) -> dict[bytes, bytes]:
    """Return a dictionary written among operands, `<< /Key value ... >>`; UnreadableContent if it is none."""
    inner = list(operands[1:-1])
    if len(operands) < 2 or operands[0] != b"<<" or operands[-1] != b">>" or len(inner) % 2:
        raise UnreadableContent("a mark has no properties")
    return dict(zip(inner[::2], inner[1::2], strict=True))


def text(operand: bytes) -> str:
    """Return a string operand, `(words)` or `<hex>`, in Latin-1; "" if it is no string."""
    if operand.startswith(b"("):
        return re.sub(rb"\\(.)", rb"\1", operand[1:-1], flags=re.DOTALL).decode("latin-1")
    if operand.startswith(b"<") and operand != b"<<":
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", operand)
        # A missing last digit is 0 (7.3.4.3).
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii")).decode("latin-1")
    return ""
