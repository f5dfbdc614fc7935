"""Break paragraphs of styled words into lines: at spaces, and after hyphens and dashes inside words.

Words of Chinese, Japanese and Korean are cut into parts that stand for words, without spaces between them. Words of
Hebrew, Arabic and the like are broken in the order of reading; `line_setting` puts what is in a line into visual order.

Breaking is greedy, as on the official cards. All widths are in em of words shaped once, so that a paragraph is broken
for any size by a search in a list of numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby, pairwise, repeat
from operator import add, itemgetter

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.patterns import regex
from render.scene.items import Color, Stroke
from render.text import directions, fonts
from render.text.characters import belongs_to_letter
from render.text.unicode_breaks import has_parts, unbreakable_parts

_WORD = regex(r"[ \t\n]+")  # not `\s`: a no-break space keeps its words together
_SOFT = "\u00ad"  # the soft hyphen, which is seen only where a line ends with it
_BREAK_WITHIN = regex(r"(?<=\w[-‐–—\u00ad])(?=\w)")  # hyphens, en dash, em dash between letters or digits
# The same for letters on pixels, as Unicode's line breaking rules have it (UAX 14: HY, SY, BA, B2): after a slash as
# well, on both sides of an em dash, and after hyphen and slash not before a digit.
_BREAK_ON_PIXELS = regex(r"(?<=\w[-‐/])(?=[^\W\d])|(?<=\w[–—\u00ad])(?=\w)|(?<=\w)(?=—)")
_LONE_SOFT = regex(r"(?<!\w)\u00ad|\u00ad(?!\w)")  # a soft hyphen at which no line may end
_MAX_BREAKS = 40  # in one word: both sides of each break are shaped, so the work grows with the square
ROUNDING = 1e-6  # em or mm: floating-point noise must not push a word to the next line


ICON = "\u2060"
"""What stands in a text for an icon: the word joiner, at which no line breaks (UAX 14: WJ)."""

BESIDE_ICON = 0.05  # em free on each side of an icon, as beside a letter


class InlineIcon(Struct, frozen=True):
    """A drawing that stands in a line as a letter does: `name` tells which, and `words` what is found and copied.

    `width` and `height` are in em; its middle is that of the capitals.
    """

    name: tuple[str, str]
    words: str
    width: float
    height: float


class LetterLine(Struct, frozen=True):
    """A line around letters, its width and dashes in em: `beneath` the letters or over them, or the line `only`."""

    stroke: Stroke
    beneath: bool = False
    only: bool = False


class LetterShadow(Struct, frozen=True):
    """A shadow of letters, or a glow around them: moved by `dx` and `dy`, and fading over `blur`, all in em.

    `opacity` is that of its color, 0 to 1.
    """

    color: Color
    dx: float = 0.0
    dy: float = 0.0
    blur: float = 0.0
    opacity: float = 1.0


class TextStyle(Struct, frozen=True):
    """How a stretch of text is set: the name of a bundled face, and the color.

    `pixels` is the size in pixels of letters that advance by whole pixels; 0 for those that advance by any width.
    `spacing` in em is added behind every letter, and `word_spacing` to every space. `scale` is the size by that of the text. Each `ICON` in a stretch is
    the `icon`. Letters may have a `line` around them, and `shadows` beneath, the first one on top. Those of an odd
    `level` run from right to left (UAX 9).
    """

    face: str
    fill: Color
    pixels: float = 0.0
    spacing: float = 0.0
    scale: float = 1.0
    icon: InlineIcon | None = None
    line: LetterLine | None = None
    word_spacing: float = 0.0
    features: fonts.Features = ()
    shadows: tuple[LetterShadow, ...] = ()
    level: int = 0


Styled = tuple[str, TextStyle]
Paragraph = tuple[Styled, ...]
Shaped = tuple[tuple[fonts.Shaped, TextStyle], ...]
"""The glyphs of a word, piece by piece where style or face change."""

LineWord = tuple[Shaped, bool, int]
"""A word of a line, whether the next one follows without a space, and the level of the white between them."""


class Word(Struct, frozen=True, kw_only=True):
    """A shaped word, and the places inside it where a line may end.

    Its part i begins at `starts[i]` em from the start of the word; a line that ends with part i ends at `ends[i]` em,
    after `cuts[i]` characters. `space` is the natural width in em of a space behind the word, set in the style of the
    word's end; `kept` is what of it must fit at the end of a line. A word that is `joined` has no space behind it: the
    next one is another part of the same text, and white may grow between them. `level` is that of the white.

    The next word begins `width` em from the start, which is before the end where letters are moved together. Letters
    and icons reach `above` and `below` em from the baseline.
    """

    styled: tuple[Styled, ...]
    shaped: Shaped
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    cuts: tuple[int, ...]
    width: float
    space: float
    kept: float
    above: float
    below: float
    joined: bool = False
    level: int = 0


class Atoms:
    """A paragraph cut into atoms: at every place where a line may end.

    On one endless line, atom i starts at `starts[i]` em; a line that ends with it ends at `ends[i]` em, and needs room
    up to `limits[i]` em. `owner[i]` is the index of its word, and so the number of spaces before it. Words reach at most
    `above` and `below` em from their baselines. `base` is the level of a paragraph in which anything runs from right to
    left, None of any other.
    """

    __slots__ = ("above", "base", "below", "ends", "limits", "owner", "starts", "words")

    def __init__(self, paragraph: Paragraph, direction: str = "") -> None:
        paragraph, self.base = directed(paragraph, direction)
        self.words = words = words_of(paragraph)
        origins = list(accumulate((word.width + word.space for word in words), initial=0.0))
        self.starts = [x + start for x, word in zip(origins, words, strict=False) for start in word.starts]
        self.ends = [x + end for x, word in zip(origins, words, strict=False) for end in word.ends]
        self.owner = [number for number, word in enumerate(words) for _ in word.ends]
        self.limits = self._limits() if words and words[0].kept else self.ends
        self.above = max((word.above for word in words), default=0.0)
        self.below = max((word.below for word in words), default=0.0)

    def _limits(self) -> list[float]:
        kept = [word.kept if end == word.ends[-1] else 0.0 for word in self.words for end in word.ends]
        return [end + space for end, space in zip(self.ends, [*kept[:-1], 0.0], strict=True)]

    @property
    def width(self) -> float:
        """The width of all of it on one line, in em."""
        return self.ends[-1] - self.starts[0]

    def last_within(self, measure: float, first: int) -> int:
        """Return the last atom of a line of at most `measure` em; the one before `first` if that is wider."""
        begin = self.starts[first]
        # `limits` grows, so the last atom that fits is found by bisection.
        last = bisect_right(self.limits, begin + measure + ROUNDING, first) - 1
        return first if last < first and self.ends[first] - begin <= measure + ROUNDING else last

    def line(self, first: int, last: int) -> list[LineWord]:
        """Return the words of a line; of the first and the last perhaps only a part."""
        begun, ended = self.owner[first], self.owner[last]
        begin, end = self._cut(first), self._cut(last + 1)
        if begun == ended:
            return [(_part(self.words[begun], begin, end), False, 0)]
        first_word, *between = self.words[begun:ended]
        line = [(_part(first_word, begin, 0), first_word.joined, first_word.level)]
        line += [(word.shaped, word.joined, word.level) for word in between]
        return [*line, (_part(self.words[ended], 0, end), False, 0)]

    def _cut(self, atom: int) -> int:
        """Return the number of characters that stand before an atom in its word."""
        if atom == len(self.owner):
            return 0  # behind the last atom: 0 means the word's end to `_part`
        number = self.owner[atom]
        part = atom - bisect_left(self.owner, number)
        return self.words[number].cuts[part - 1] if part else 0


def _part(word: Word, begin: int, end: int) -> Shaped:
    """Return the glyphs of a word from character `begin` to before `end`, or to its end if that is 0."""
    # A part is shaped anew: its kerning and ligatures end at the break.
    if not begin and not end:
        return word.shaped
    part = list(_slice(word.styled, begin, end or word.cuts[-1]))
    return _shaped(_with_hyphen(part) if end else part)


def _with_hyphen(part: list[Styled]) -> list[Styled]:
    """Return what stands at the end of a line, where a soft hyphen is seen."""
    *before, (text, style) = part
    return [*before, (f"{text[:-1]}-", style)] if text[-1] == _SOFT else part


def directed(paragraph: Paragraph, direction: str) -> tuple[Paragraph, int | None]:
    """Return a paragraph with the levels of its letters, and its own; as it is, and None, if nothing runs to the left.

    The direction is `ltr`, `rtl`, or "" for that of the first letter.
    """
    texts = [text for text, _ in paragraph]
    if direction != "rtl" and not directions.has_right_to_left(texts):
        return paragraph, None
    whole = _WORD.sub(lambda white: " " * len(white[0]), "".join(texts)).replace(ICON, "\ufffc")
    base, levels = directions.levels(whole, direction)
    kinds = zip(levels, directions.cursive_scripts(whole), strict=True)
    stretches = list[Styled]()
    for text, style in paragraph:
        for (level, script), group in groupby([(next(kinds), char) for char in text], itemgetter(0)):
            stretches.append(("".join(char for _, char in group), _at_level(style, level, script)))
    return tuple(stretches), base


@cached(1024)
def _at_level(style: TextStyle, level: int, script: str) -> TextStyle:
    """Return a style at a level; letters that join have no white between them."""
    return replace(style, level=level, spacing=0.0 if script and level % 2 else style.spacing)


def words_of(paragraph: Paragraph) -> list[Word]:
    """Return the words of a paragraph. A word may change its style inside, as in `**bold**ly`."""
    words: list[Word] = []
    open_word: list[Styled] = []  # the parts so far of a word that may continue in the next style
    for text, style in paragraph:
        first, *further = _WORD.split(_LONE_SOFT.sub("", text) if _SOFT in text else text)
        if first:
            open_word.append((first, style))
        if not further:
            continue
        words += _closed(open_word, style.level)
        *whole, last = further
        vocabulary = _vocabulary(style)
        words += [vocabulary[word] for word in whole]
        open_word = [(last, style)] if last else []
    words += _closed(open_word)
    if has_parts(text for text, _ in paragraph):
        return [part for word in words for part in _parts(word)]
    return words


def _parts(word: Word) -> list[Word]:
    """Return a word as the parts between which a line may end; the word itself if it is not of such a script."""
    whole = "".join(text for text, _ in word.styled)
    if not has_parts((whole,)):
        return [word]
    slices = [list(_slice(word.styled, begin, end)) for begin, end in unbreakable_parts(whole)]
    parts = [part for each in slices for part in _closed(each, word.level)]
    return [*(replace(part, space=0.0, kept=0.0, joined=True) for part in parts[:-1]), *parts[-1:]]


def _closed(parts: list[Styled], level: int = 0) -> list[Word]:
    """Return the word that these parts make, and behind which there is white of a level; none if there are no parts."""
    if not parts:
        return []
    if len(parts) == 1:
        ((text, style),) = parts
        word = _vocabulary(style)[text]
    else:
        word = _mixed_word(_joined(parts))
    return [word if word.level == level else replace(word, level=level)]


@cached(4096)
def _mixed_word(styled: tuple[Styled, ...]) -> Word:
    """Return a word of several styles, such as an icon and its comma; cached, since the same begin many texts."""
    return _word(styled)


_MAX_WORDS = 16384  # per style, as many as `fonts.shape` keeps: more than most sets have; each takes 1 kB


class _Vocabulary(dict[str, Word]):
    """The words of one style, each shaped and measured once."""

    def __init__(self, style: TextStyle) -> None:
        self._style = style

    def __missing__(self, text: str) -> Word:
        if len(self) >= _MAX_WORDS:
            self.clear()
        word = self[text] = _word(((text, self._style),))
        return word


@cached(64)
def _vocabulary(style: TextStyle) -> _Vocabulary:
    return _Vocabulary(style)


def _shaped(styled: Iterable[Styled]) -> Shaped:
    """Return the glyphs of a word."""
    parts = tuple(styled)
    if len(parts) == 1 or not any(style.level for _, style in parts):
        return tuple((piece, style) for text, style in parts for piece in set_word(style, text))
    # Letters of other looks join as well.
    texts = ["", *(text for text, _ in parts), ""]
    return tuple(
        (piece, style)
        for (text, style), before, after in zip(parts, texts, texts[2:], strict=False)
        for piece in set_word(style, text, before, after)
    )


def _word(styled: tuple[Styled, ...]) -> Word:
    """Shape a word and find where a line may end: after the hyphens and dashes inside it."""
    whole = "".join(text for text, _ in styled)
    breaks = _BREAK_ON_PIXELS if styled[-1][1].pixels else _BREAK_WITHIN
    cuts = [match.start() for match in breaks.finditer(whole)][:_MAX_BREAKS]
    shaped = _shaped(styled)
    width, (last, style) = sum(piece.width for piece, _ in shaped), shaped[-1]
    # As it is drawn: in the face of the last letter, which may be that of another font.
    space = _space_width(style if last.face == style.face else replace(style, face=last.face))
    # From the right, so that a part's start includes the kerning that it keeps when it begins a line.
    starts = (0.0, *(width - width_of(_slice(styled, cut, len(whole))) for cut in cuts))
    parts = [*(_shaped(_with_hyphen(list(_slice(styled, 0, cut)))) for cut in cuts), shaped]
    reaches = [_reach(piece, style) for piece, style in shaped]
    return Word(
        styled=styled,
        shaped=shaped,
        starts=starts,
        ends=tuple(_end(part) for part in parts),
        cuts=(*cuts, len(whole)),
        width=width,
        space=space,
        above=max(above for above, _ in reaches),
        below=max(below for _, below in reaches),
        # Programs that set letters on pixels also want room for the space at which they break a line (Pango to 1.48).
        kept=space if styled[-1][1].pixels else 0.0,
        level=styled[-1][1].level,
    )


def _end(shaped: Shaped) -> float:
    """Return where a line ends that ends with these glyphs, in em."""
    end = sum(piece.width for piece, _ in shaped)
    if any(style.spacing < 0 for _, style in shaped):
        # Letters that are moved together keep their own widths: the last one's counts in full.
        moved = 0.0
        for piece, style in shaped:
            per_em = fonts.face(piece.face).units_per_em / style.scale
            widths = (fonts.glyph_width(piece.face, glyph) for glyph in piece.glyphs)
            places = accumulate(piece.advances, initial=0)
            end = max(end, moved + max(map(add, places, widths), default=0) / per_em)
            moved += piece.width
    return end


def _reach(piece: fonts.Shaped, style: TextStyle) -> tuple[float, float]:
    """Return how far letters or an icon reach above and below the baseline, in em of the text."""
    if style.icon is not None and not piece.glyphs:
        capitals, height = fonts.face(style.face).cap_height, style.icon.height
        return (height + capitals) / 2 * style.scale, (height - capitals) / 2 * style.scale
    above = below = 0.0
    per_em = fonts.face(piece.face).units_per_em
    for glyph, rise in zip(piece.glyphs, piece.rises or repeat(0), strict=False):
        up, down = fonts.glyph_reach(piece.face, glyph)
        above, below = max(above, up + rise / per_em), max(below, down - rise / per_em)
    return above * style.scale, below * style.scale


@cached(1024)
def _space_width(style: TextStyle) -> float:
    return width_of([(" ", style)])


def _joined(parts: Iterable[Styled]) -> tuple[Styled, ...]:
    """Join neighboring stretches of one style, so that they are shaped together and kern."""
    result: list[Styled] = []
    for text, style in parts:
        if result and result[-1][1] == style:
            result[-1] = (result[-1][0] + text, style)
        else:
            result.append((text, style))
    return tuple(result)


def _slice(styled: tuple[Styled, ...], begin: int, end: int) -> Iterator[Styled]:
    """Yield the characters from `begin` to before `end`."""
    edges = accumulate((len(text) for text, _ in styled), initial=0)
    for (text, style), (start, stop) in zip(styled, pairwise(edges), strict=True):
        part = text[max(begin - start, 0) : max(min(end, stop) - start, 0)]
        if part:
            yield part, style


def width_of(styled: Iterable[Styled]) -> float:
    return sum(piece.width for text, style in styled for piece in set_word(style, text))


def set_word(style: TextStyle, text: str, before: str = "", after: str = "") -> tuple[fonts.Shaped, ...]:
    """Return the glyphs of one word in a style, piece by piece where the face lacks a character.

    An icon is a piece without glyphs. Letters join with those before and behind the word.
    """
    if style.icon is not None and text[0] == ICON:
        wide = (style.icon.width + 2 * BESIDE_ICON) * style.scale
        return (fonts.Shaped(face=style.face, glyphs=(), advances=(), text=(), rises=(), width=wide),) * len(text)
    if style.scale != 1.0:
        natural = set_word(replace(style, scale=1.0), text, before, after)
        return tuple(replace(piece, width=piece.width * style.scale) for piece in natural)
    around = (("ltr", "rtl")[style.level % 2], before, after) if style.level else fonts.ALONE
    text = text.replace(_SOFT, "")
    pieces = fonts.shape(style.face, text, style.features, around)
    if style.pixels:
        from render.text import hinting

        pieces = hinting.shape_on_pixels(style.face, text, style.pixels, around)
    if style.spacing or style.word_spacing:
        return tuple(_spaced(piece, style) for piece in pieces)
    return pieces


_SPACES = (" ", "\u00a0")


def _spaced(piece: fonts.Shaped, style: TextStyle) -> fonts.Shaped:
    per_em = fonts.face(piece.face).units_per_em
    # Font units are whole: what is rounded off behind one letter is added behind the next. The second glyph of a
    # cluster keeps its place, and so does an accent or a vowel sign over a letter.
    # From right to left, an accent stands before its letter.
    following = [*accumulate(reversed(piece.text[1:]), lambda behind, text: text or behind, initial="")][::-1]
    followers = piece.text if style.level % 2 else following
    more = (
        style.spacing * (bool(text) and not belongs_to_letter(follower[:1] or " "))
        + style.word_spacing * (text in _SPACES)
        for text, follower in zip(piece.text, followers, strict=True)
    )
    behind = [round(em * per_em) for em in accumulate(more, initial=0.0)]
    # No letter stands before the one that it follows, so that a word does not leave its box to the left.
    advances = tuple(
        max(advance + b - a, min(advance, 0)) for advance, (a, b) in zip(piece.advances, pairwise(behind), strict=True)
    )
    return replace(piece, advances=advances, width=(piece.start + sum(advances)) / per_em)
