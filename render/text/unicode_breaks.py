"""Where lines may end in scripts that are written without spaces: Chinese, Japanese and Korean; and at spaces of no width.

The rules are those of Unicode (UAX 14), which `uniseg` knows: no line begins with a closing bracket, a full stop or a
small kana, and none ends with an opening bracket. Only this module uses uniseg, and only for such texts, since the
words of all others break at spaces, hyphens and dashes. In Thai, Lao, Khmer and Burmese, only dictionaries know where
words end: the author writes a space without width (U+200B) there.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from render.text.characters import is_within

NO_WIDTH = "\u200b"
# That space, Hangul, the blocks from CJK radicals to Yi, compatibility and full-width forms, kana supplements and rare ideographs:
# the first character of each range, and the first behind it. (To compile it as a pattern takes longer than any search.)
_EAST_ASIAN = (
    "\u1100\u1200\u200b\u200c\u2e80\ua4d0\ua960\ua980\uac00\ud800\uf900\ufb00\ufe10\ufe20\ufe30\ufe50\uff00\uffe7"
    "\U00016fe0\U0001b300\U0001f200\U0001f300\U00020000\U00040000"
)


def has_parts(texts: Iterable[str]) -> bool:
    """Return whether lines may end within the words of any of these texts."""
    return any(not text.isascii() and is_within(text, _EAST_ASIAN) for text in texts)


def unbreakable_parts(word: str) -> list[tuple[int, int]]:
    """Return begin and end of the parts of a word between which a line may end; the whole word if there is one."""
    from uniseg.linebreak import line_break_boundaries

    spans = pairwise(sorted({0, *line_break_boundaries(word), len(word)}))
    return [
        (begin, begin + len(word[begin:end].rstrip(NO_WIDTH)))
        for begin, end in spans
        if word[begin:end].strip(NO_WIDTH)
    ]
