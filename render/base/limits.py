"""What files and texts of users may have, and what reading them may take: one row each, as in cards/reference/limits.md.

Readers ask for `most`, and their messages say a row as it stands: `1 MiB`, `20,000 rows`. What a machine cannot bear
the guard stops; what stands here besides keeps what is read small for all that follows, or is a size that files of the
kind never have. How many things a message names or a cache keeps is no matter of users, and stays where it is used.
"""

from __future__ import annotations

from typing import NamedTuple

_UNITS = {"MiB": 1 << 20, "MB": 1_000_000, "megapixels": 1_000_000}


class Limit(NamedTuple):
    """The most of something, in a unit, and what it is of."""

    value: int
    unit: str
    of: str

    @property
    def most(self) -> int:
        """The limit in bytes, pixels, or whatever else is counted."""
        return self.value * _UNITS.get(self.unit, 1)

    def __str__(self) -> str:
        return f"{self.value:,} {self.unit}"


class Limits(NamedTuple):
    """What a request to the guard may take: seconds of processor time, and bytes of memory above what the worker begins with.

    `of` says to users what for; those of all requests stand below.
    """

    seconds: float
    memory: int
    of: str = ""

    def plus(self, seconds: float, memory: int = 0) -> Limits:
        """Return more, for a larger file."""
        return self._replace(seconds=self.seconds + seconds, memory=self.memory + memory)

    def __str__(self) -> str:
        return f"{self.seconds:.3g} s and {self.memory / 1e6:.0f} MB"


YAML_FILE = Limit(1, "MiB", "a YAML file")  # a thousand long cards have half as many
YAML_LEVELS = Limit(32, "levels", "lists and mappings in each other")  # a card nests four deep
YAML_ENTRIES = Limit(20_000, "entries", "a list or mapping")  # ten times the cards of the whole game
YAML_REPEATED = Limit(1, "MiB", "what aliases of a YAML file stand for")
FILE_FINDINGS = Limit(100, "findings", "what is said of one YAML file")  # a picture named .yaml would give thousands
SET_FILES = Limit(64, "MiB", "the YAML files of a set")  # a hundred thousand long cards
TEXT = Limit(4_000, "characters", "a text of a card")  # at 5 pt, a whole card has room for half of it
GAME_NAMES = Limit(200, "names", "fields, kinds, icons or colors of a game")  # few enough to be listed in a message
GAME_CHECKS = Limit(100, "rules", "`check` of a kind of a game")
DECK_CARDS = Limit(9_999, "cards", "a deck")
PATTERN = Limit(200, "characters", "a pattern")
PATTERN_TIMES = Limit(1_000, "times", "how often a pattern repeats something")  # as in RE2

CSV_FILE = Limit(4, "MiB", "a CSV file")
SPREADSHEET = Limit(16, "MiB", "an .xlsx or .ods file")  # pictures may lie in it
TABLE_ROWS = Limit(20_000, "filled rows", "a table")  # as many as a list in YAML may have entries
TABLE_COLUMNS = Limit(256, "filled cells", "a row of a table")  # a card has some twenty keys
TABLE_CELLS = Limit(200_000, "filled cells", "all sheets of a table")  # five times those of the whole game
CELL = Limit(32_767, "characters", "a cell of a table")  # what Excel takes
CELLS_OF_LIST = Limit(256, "items", "a list that a row gives by columns such as `faces.1.name`")
TO_READ_TABLE = Limits(8.0, 400_000_000, "to read a table")  # 200,000 cells take 1.2 s and 75 MB

PICTURE = Limit(50, "MB", "a picture")  # a photograph of 12 megapixels has about 5 million
PICTURE_PIXELS = Limit(40, "megapixels", "the pixels of a picture")  # a whole card at 1200 dpi has 13 million
PICTURE_SIDE = Limit(65_535, "pixels", "a side of a picture")  # the most that a JPEG can have
PICTURE_MEMORY = Limit(400, "MB", "the memory for the pixels of a picture")  # some kinds take more for each than others
PICTURE_PASSES = Limit(100, "passes", "a progressive JPEG")  # which has about ten
PICTURE_WORK = Limit(1_000, "megapixels", "the pixels of a progressive JPEG, times its passes")
PICTURE_PIECES = Limit(100_000, "pieces", "a picture")  # a PNG of 50 MB in pieces of 4 KB has 12,000
PICTURE_TEXT = Limit(1, "MB", "a text in a picture")  # as in Pillow
PICTURE_PROFILE = Limit(4, "MB", "the color profile of a picture")  # the largest of presses have 2.7 MB
TO_DECODE = Limits(8.0, 480_000_000, "to decode a WebP or AVIF")  # 400 million for pixels, and the file itself
SVG = Limit(4, "MB", "an SVG")
SVG_ELEMENTS = Limit(20_000, "elements", "an SVG")
SVG_LEVELS = Limit(64, "levels", "elements of an SVG in each other")
SVG_PIXELS = Limit(5, "megapixels", "what an SVG is drawn with")  # a whole card at 740 dpi, a minion's picture at 1200
TO_DRAW_SVG = Limits(7.0, 560_000_000, "to draw an SVG with all these pixels")  # its layers reach beyond its edges

FONT = Limit(40, "MiB", "a font")  # the largest for Chinese and Japanese, with all their weights, have 34 MB
FONT_FILES = Limit(200, "fonts", "a folder")  # all weights and widths of ten families
FONT_RULES = Limit(4, "MiB", "a table of rules of a font")  # those for the most intricate scripts have 1 MB
FONT_TABLES = Limit(128, "tables", "a font")  # OpenType defines 50
FONT_AXES = Limit(16, "axes", "a variable font")  # registered are 5; the largest known fonts have 13
GLYPH_POINTS = Limit(20_000, "points", "a letter of a font")  # the finest engravings sold as fonts have 5000
GLYPH_REACH = Limit(20, "em", "how far a letter of a font reaches")  # the longest ornaments and ligatures reach 10
FONT_SETTING = Limit(20, "s", "to set all words in a font")  # those of 1000 cards take 0.5
TO_VARY_FONT = Limits(20.0, 1_500_000_000, "to set a variable font")  # the largest take 4 s and half the memory

TEMPLATE = Limit(4, "MiB", "a template")  # a thousand times the official frame
TEMPLATE_WORDS = Limit(100_000, "words and signs", "the tags of a template")
TEMPLATE_RANGE = Limit(100_000, "numbers", "a `range`")  # as in Jinja2's own sandbox
TEMPLATE_OUTPUT = Limit(2_000_000, "characters", "the SVG that a template gives")
TO_FILL_IN = Limits(2.0, 256_000_000, "to fill in a template for a face")  # no built-in one takes a hundredth of it
EXPRESSION = Limit(2_000, "characters", "an expression")  # longer ones belong into a template
EXPRESSION_RESULT = Limit(20_000, "characters", "what an expression gives")  # as many as a face may have
TO_EVALUATE = Limits(1.0, 128_000_000, "to work out an expression for a card")
TO_MATCH = Limits(1.0, 100_000_000, "to match a pattern where RE2 is missing")

IMPORTED = Limit(64, "MiB", "a file that cards are imported of")  # thirty times the GIMP file of a card
TO_READ_GIMP = Limits(8.0, 400_000_000, "to read a GIMP file")  # the largest card of the game takes 0.1 s and 80 MB
TO_READ_LETTERS = Limits(120.0, 1_000_000_000, "to draw letters that a picture of a card is compared with")
PDF_PAGES = Limit(20_000, "pages", "a PDF that is verified")
TO_VERIFY = Limits(5.0, 400_000_000, "to verify a PDF, and more by its bytes and pages")
TO_PREFLIGHT = Limits(7.0, 500_000_000, "to preflight a file, and more by its bytes")  # 1,000 cards take 2 s and 70 MB

ROWS = [row for row in globals().values() if isinstance(row, Limit | Limits)]
"""All of these, in their order."""
