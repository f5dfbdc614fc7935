"""What our modules remember from one call to the next, for a process that lives longer than what that came from."""

from __future__ import annotations

import sys
from functools import _lru_cache_wrapper  # it has no other name


def clear_caches() -> None:
    """Empty every cache of `functools` in our modules: fonts, rules and shapes are looked at anew, and memory is free.

    What is kept by its content, within bounds, stays: pictures, compiled templates, packed rows.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("render."):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
