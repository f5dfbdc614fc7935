"""Take typed values out of a mapping. Every mistake becomes a finding; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TypeVar

from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, listed, quoted
from render.base.limits import TEXT
from render.base.patterns import regex
from render.source.comments import comment_behind
from render.source.file_kinds import FileKind
from render.source.mapping_keys import MappingKeys
from render.source.nodes import Document, Mapping, Node, Scalar, describe_node, scalars_of
from render.source.scalar_values import ScalarStyle, meant_number, write_anywhere
from render.text.characters import flaws

HIGHEST = 9999  # more digits fit no symbol of a card

_PICTURE = regex(r"\.(?:jpe?g|png|webp|svg|heic|avif|gif)$", re.IGNORECASE)
_MAX_REPEATED = 60  # characters of a list or mapping that a hint repeats

_WHOLE = regex(r"0|[1-9][0-9]*")  # no sign, no leading zero, which YAML 1.1 would read as octal
_NUMBER = regex(r"[-+]?[0-9][0-9_]*(\.[0-9]+)?")
_NUMBERS = regex(r"[0-9]{1,4}(?: *[-–/|,] *[0-9]{1,4})+")  # several, as in `2/2` and `3-4`
_THOUSANDS = regex(r"[1-9][0-9]{0,2},[0-9]{3}")
_DECIMAL = regex(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?")

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


class Fields(MappingKeys, kw_only=True):
    """The values of one mapping, as the types that are asked for."""

    def text(self, key: str, *, lines: bool = False) -> str:
        """Return a text without trailing space; "" if it is not given. `lines` allows line breaks."""
        node = self.values.get(key)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            self._no_text(key, node, lines=lines)
            return ""
        text = node.value.rstrip()
        if len(text) > TEXT.most:
            message = f"`{self.path}{key}` has {len(text)} characters, and no card has room for {TEXT.most}"
            self.note("019", message, self.place(key), "shorten it", key)
        else:
            self._check_characters(key, node, list(flaws(text, self.family, lines=lines, more=self.fonts)))
        return text

    def note_marks(self, key: str, text: str, *, lines: bool, rich: bool) -> None:
        """Warn of a mark of HTML or Markdown, which would be printed; `lines` and `rich` say what the text may have."""
        node = self.values.get(key)
        if isinstance(node, Scalar) and any(mark in text for mark in ("<", "\\", "&", "__")):
            from render.source.slips.foreign_marks import foreign_marks

            self._check_characters(
                key, node, list(foreign_marks(text, lines=self.document.breaking(key) if lines else "", rich=rich))
            )

    def path_of_picture(self, key: str) -> str:
        """Return the path of a picture; "" if it is not given, or is no text, which is noted."""
        node = self.values.get(key)
        if node is None or isinstance(node, Scalar):
            return self.text(key)
        paths = [each for each in scalars_of(node) if _PICTURE.search(each)]
        self.expected_one(key, "a picture file", write_anywhere(paths[0]) if paths else "")
        names = [name.value for name, value in node.entries] if isinstance(node, Mapping) else []
        if "copies" in names:  # nobody means the copies of a picture
            hint = f"{self.findings[-1].hint}, and `copies` exactly below `{key}`"
            self.findings[-1] = replace(self.findings[-1], hint=hint)
        return ""

    def _no_text(self, key: str, node: Node, *, lines: bool) -> None:
        """Note a list, or keys and values, in place of a text: often a text with a colon or in braces."""
        words = scalars_of(node)
        if lines and not (words and self._is_flow(node)):
            below = f"write `{key}: |`, and below it the lines of the text, indented, without `- `"
            self.expected(key, "a text", below)
        elif isinstance(node, Mapping) and self._is_flow(node) and node.entries:
            written = self.document.text[node.start : node.end]
            self.expected_one(key, "a text", write_anywhere(written) if len(written) <= _MAX_REPEATED else "")
        else:
            joined = ", ".join(words)
            self.expected_one(key, "a text", write_anywhere(joined) if len(joined) <= _MAX_REPEATED else "")

    def _is_flow(self, node: Node) -> bool:
        """Whether a list or mapping is written in brackets or braces."""
        return self.document.text[node.start : node.start + 1] in ("[", "{")

    def _check_characters(self, key: str, node: Scalar, flawed: list[Diagnostic]) -> None:
        places = self.document.places(node) if flawed else []
        subject = f"`{self.path}{key}`" + (f" of `{self.card}`" if self.card else "")
        for flaw in flawed:
            span = self.document.between(places[flaw.start][0], places[flaw.end - 1][1])
            self.add(replace(flaw, message=f"{flaw.message}, in {subject}"), span, key)

    def words(self, key: str, *, lines: bool = False, what: str = "") -> str:
        """Return a text that must be given and not be empty. Otherwise a finding is noted, and the text is ""."""
        if not self.given(key):
            return ""
        if what and not isinstance(self.values[key], Scalar):
            self.expected_one(key, _with_article(what))
            return ""
        text = self.text(key, lines=lines)
        if not text and isinstance(self.values[key], Scalar):
            self.note(
                "009", f"`{self.path}{key}` is empty", self.place(key), f"write {_with_article(what or key)}", key
            )
        return text

    def whole(self, key: str, least: int = 0, most: int = HIGHEST, or_word: str = "") -> int | None:
        """Return a whole number from `least` to `most`; None if it is missing, or wrong, which is noted.

        `or_word` is a word that the caller also allows.
        """
        node = self.values.get(key)
        if node is None:
            return None
        written = node.value if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN else ""
        # Python refuses to read numbers of thousands of digits, and no card holds five.
        if _WHOLE.fullmatch(written) and len(written) <= len(str(most)) and least <= int(written) <= most:
            return int(written)
        wanted = f"a whole number from {least} to {most}" + (f" or `{or_word}`" if or_word else "")
        meant = meant_number(node.value) if isinstance(node, Scalar) else None
        if (
            isinstance(node, Scalar)
            and meant is not None
            and least <= meant <= most
            and not _WHOLE.fullmatch(node.value)
        ):
            number = "006" if _NUMBER.fullmatch(node.value) else "005"
            message = f"expected {wanted}, found {describe_node(node)}"
            self.note(
                number,
                message,
                self.place(key),
                f"write `{self.document.pair(key, str(meant))}`",
                key,
                instead=str(meant),
            )
        else:
            self._not_number(key, node, wanted, (least, most), pattern=_WHOLE, or_word=or_word)
        return None

    def points(self, key: str, least: float, most: float, or_word: str = "", hint: str = "") -> float | None:
        """Return a size in pt from `least` to `most`; None if it is missing, or wrong, which is noted.

        `or_word` is a word that the caller also allows; `hint` is for a number that is too small.
        """
        node = self.values.get(key)
        if node is None:
            return None
        written = node.value if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN else ""
        if _DECIMAL.fullmatch(written) and least <= float(written) <= most:
            return float(written)
        wanted = f"a size in pt from {least:g} to {most:g}" + (f" or `{or_word}`" if or_word else "")
        if _DECIMAL.fullmatch(written):
            hint = hint if float(written) < least else ""
        elif not written.startswith("-"):
            hint = "write it with at most 4 digits before the point and behind it, as in `6.12`"
        self._not_number(key, node, wanted, (least, most), pattern=_DECIMAL, or_word=or_word, hint=hint)
        return None

    def _not_number(
        self,
        key: str,
        node: Node,
        wanted: str,
        limits: tuple[float, float],
        *,
        pattern: re.Pattern[str],
        or_word: str,
        hint: str = "",
    ) -> None:
        written = node.value if isinstance(node, Scalar) else ""
        number = float(written) if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,4})?", written) else 1.0
        near = min(max(number if pattern is _DECIMAL else round(number), limits[0]), limits[1])
        usual = f"write for example `{self.document.pair(key, f'{near:g}')}`"
        if not isinstance(node, Scalar):
            meant = next((each for each in scalars_of(node) if pattern.fullmatch(each)), "")
            self.expected_one(key, wanted, meant)
        elif or_word and _letters(node.value).startswith(or_word):
            self.expected(key, wanted, f"write `{self.document.pair(key, or_word)}`", instead=or_word)
        elif node.style is not ScalarStyle.PLAIN and pattern.fullmatch(node.value):
            self.expected(
                key, wanted, f"remove the quotes: `{self.document.pair(key, node.value)}`", instead=node.value
            )
        elif _NUMBER.fullmatch(node.value):
            self.note("006", f"expected {wanted}, found {quoted(node.value)}", self.place(key), hint or usual, key)
        elif _NUMBERS.fullmatch(node.value):
            first = re.split(r"[^0-9]", node.value)[0]
            if _THOUSANDS.fullmatch(node.value):
                first = node.value.replace(",", "")
            self.expected(key, wanted, f"write a single number, such as `{self.document.pair(key, first)}`")
        else:
            self.expected(key, wanted, hint or usual)

    def truth(self, key: str, default: bool) -> bool:
        """Return the truth value that `true` or `false` gives."""
        return self.word(key, ("true", "false"), str(default).lower()) == "true"

    def choice(self, key: str, default: E) -> E:
        """Return the member of the default's enumeration whose value is given."""
        kinds = type(default)
        return kinds(self.word(key, [kind.value for kind in kinds], default.value))

    def word(self, key: str, known: Iterable[str], default: str, list_of_all: str = "") -> str:
        """Return the one of the known words that is given; another word is noted.

        `list_of_all` is where an author may add one, "" for nowhere.
        """
        node = self.values.get(key)
        if node is None:
            return default
        known = list(known)
        if isinstance(node, Scalar) and node.value in known:
            return node.value
        if not isinstance(node, Scalar):
            meant = next((each for each in scalars_of(node) if each in known), "")
            self.expected_one(key, listed(known), meant, number="007")
        elif comment_behind(self.document, node):
            self.expected(key, listed(known), number="007")
        elif node.value.lower() == key and self.document.pair(key, "") == "":
            self.expected(key, listed(known), "if the row repeats the header, remove it", number="007")
        else:
            message = f"expected {listed(known)}, found {describe_node(node)}"
            usual = f"write for example `{self.document.pair(key, known[0])}`"
            usual += f", or add {quoted(node.value)} to {list_of_all}" if list_of_all else ""
            self.note_word("007", message, self.place(key), node.value, known, key=key, usual=usual)
        return default

    def inner(self, key: str) -> Fields | None:
        """Return the fields of an inner mapping; None without one. Its findings are added to these."""
        node = self.values.get(key)
        if isinstance(node, Mapping):
            return self.within(key, node)
        if node is not None:
            self.expected(key, "keys and values", f"write its keys on the lines below `{key}:`, indented")
        return None

    def within(self, key: str, node: Mapping) -> Fields:
        """Return the fields of a mapping that stands at that key; their findings go where these go."""
        return Fields(
            document=self.document,
            node=node,
            kind=self.kind,
            card=self.card,
            path=f"{self.path}{key}.",
            findings=self.findings,
            fonts=self.fonts,
        )

    def read(
        self, key: str, read: Callable[[str], T], wanted: str = "a text", words: Iterable[str] = (), usual: str = ""
    ) -> T | None:
        """Return what `read` makes of a value that is given; nothing, which is noted, where it raises a ValueError.

        `wanted` says what it reads, `words` are those that it knows, `usual` is one for an example.
        """
        node = self.values[key]
        if not isinstance(node, Scalar):
            self.expected_one(key, wanted, _read_of(scalars_of(node), read))
            return None
        try:
            return read(node.value)
        except ValueError as error:
            message, written, rather = str(error).partition(": write ")
            if written:
                self.note("007", message, self.place(key), f"write {rather}", key)
            else:
                example = f"write for example `{self.document.pair(key, usual)}`" if usual else ""
                self.note_word("007", message, self.place(key), node.value, words, key=key, usual=example)
            return None


def _read_of(words: Sequence[str], read: Callable[[str], object]) -> str:
    """Return the value that the items of a list seem to be meant for: `3x3` of `[3, 3]`; "" if there is none."""
    for each in ("x".join(words), *words[:1]):
        try:
            read(each)
        except ValueError:
            continue
        return each
    return ""


def _letters(written: str) -> str:
    return written.strip(" \"'.,;").lower()


def fields_of(kind: FileKind, document: Document, node: Node, path: str = "") -> Fields:
    """Return the fields of a mapping; Refused if the node is something else."""
    if isinstance(node, Mapping):
        return Fields(document=document, node=node, kind=kind, path=path)
    raise Refused([kind.no_mapping(document, node)])


def _with_article(thing: str) -> str:
    return f"{'an' if thing[:1] in 'aeiou' else 'a'} {thing}"
