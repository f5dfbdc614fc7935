"""Where lines may end in scripts that are written without spaces: Chinese, Japanese and Korean.

The rules are those of Unicode (UAX 14), which `uniseg` knows: no line begins with a closing bracket, a full stop or a
small kana, and none ends with an opening bracket. Only this module uses uniseg, and only for such texts, since the
words of all others break at spaces, hyphens and dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

# Hangul, the blocks from CJK radicals to Yi, compatibility and full-width forms, kana supplements and rare ideographs.
_EAST_ASIAN = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffe6"
    "\U00016fe0-\U0001b2ff\U0001f200-\U0001f2ff\U00020000-\U0003ffff]"
)


def has_east_asian(texts: Iterable[str]) -> bool:
    """Return whether lines may end within the words of any of these texts."""
    return any(not text.isascii() and _EAST_ASIAN.search(text) for text in texts)


def unbreakable_parts(word: str) -> list[tuple[int, int]]:
    """Return begin and end of the parts of a word between which a line may end; the whole word if there is one."""
    from uniseg.linebreak import line_break_boundaries  # noqa: PLC0415 - see above

    return list(pairwise(sorted({0, *line_break_boundaries(word), len(word)})))
