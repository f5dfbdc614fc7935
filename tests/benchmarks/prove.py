"""A proof in full, of which tests try a sample: `python tests/benchmarks/prove.py NAME [OPTION]...`

NAME is a module of `proofs`, and the options are its own; `hostile KIND` runs hostile input of a kind.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(1, str(Path(__file__).resolve().parents[2]))  # the tests, which proofs share much with
    name = sys.argv.pop(1)
    runpy.run_module(f"proofs.{name}", run_name="__main__", alter_sys=True)
