"""Jinja2 that cannot be read: what is wrong in it, in our words, and at which characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import jinja2

from render.base.findings import Diagnostic, listed, nearest_word, quoted


class RawToken(NamedTuple):
    """A token as written, white space among them."""

    start: int
    kind: str
    words: str


def explain(
    error: jinja2.TemplateSyntaxError, source: str, tokens: Sequence[RawToken], is_expression: bool
) -> Diagnostic:
    """Return what is wrong with a text, of which Jinja2 gives the index in place of the line.

    `tokens` are those of the text up to the mistake. An expression stands without `{{ }}`.
    """
    mistake = _Mistake((error.message or "").rstrip("."), error.lineno, source, tokens, is_expression)
    ways = (mistake.tag, mistake.not_ended, mistake.cut, mistake.phrase, mistake.slip, mistake.bracket)
    return next(filter(None, (way() for way in ways)), None) or mistake.other()


_WITH_END = ("autoescape", "block", "call", "filter", "for", "if", "macro", "set", "with")
_TAGS = (*_WITH_END, "extends", "from", "import", "include")
_SHORT_SET = r"set\s+[\w.,\s]+="
_PARTNERS = {"(": ")", "[": "]", "{": "}"}

_SLIPS = {
    "=>": ">=", "=<": "<=", "<>": "!=", "!==": "!=", "===": "==", "&&": "and", "||": "or", "^": "**",
    "&amp;&amp;": "and", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "and", "!": "not", "=": "==",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "×": "*", "÷": "/", "−": "-", "&": "and", "≥": ">=", "≤": "<=",
    "≠": "!=", "AND ": "and", "OR ": "or", "NOT ": "not", "And ": "and", "Or ": "or",
    "? ": "one if condition else another",
}  # fmt: skip
"""Operators of other languages, and what drawing programs make of signs, with what to write.

Longer ones stand before those with which they begin.
"""

_IN_SIGNS = {
    "at most": "<=", "at least": ">=", "less than": "<", "lower than": "<", "below": "<", "more than": ">",
    "greater than": ">", "higher than": ">", "above": ">", "equal to": "==",
}  # fmt: skip
_CONTRARY = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!="}
_COMPARING = (
    r"(?:\bis\s+)?(?P<no>\bnot\s+)?\b(?P<words>" + "|".join(_IN_SIGNS).replace(" ", r"\s+") + r")\b(?!\s*\()\s*"
)
"""Comparisons in words; `is below` and `is equalto` of Jinja2 come with brackets, or in other words."""

_TOKENS = {
    "end of print statement": "`}}`", "end of statement block": "`%}`", "end of template": "the end",
    "name": "a name", "begin of statement block": "`{%`", "string": "a text in quotes", "integer": "a number",
}  # fmt: skip
_EXAMPLES = {
    "as": 'write for example `{% import "symbols.svg" as symbols %}`',
    "in": "write for example `{% for line in card.lines %}`",
}
_HOLDS = "whether a text has another in it is asked by `in`: `'Night' in name`"
_HOLDING = ("contains", "includes", "has", "holds", "like")
_BETWEEN = "write an operator between two values: `and`, `or`, `+`, or `~`, which joins texts"


class _Mistake:
    """What Jinja2 said of a text, and at which index. Each way to tell it returns None if it is another mistake."""

    def __init__(self, said: str, at: int, source: str, tokens: Sequence[RawToken], is_expression: bool) -> None:
        self._said, self._at, self._source, self._tokens = said, at, source, tokens
        self._is_expression = is_expression
        self._open = self._open_before(at)

    def _open_before(self, end: int) -> list[RawToken]:
        """Return what is open before an index: the braces of a tag or an expression, and brackets within."""
        is_open = list[RawToken]()
        for token in (each for each in self._tokens if each.start < end):
            if token.kind.endswith("_begin"):
                is_open = [token]
            elif token.kind == "operator" and token.words in _PARTNERS:
                is_open.append(token)
            elif token.kind == "operator" and token.words in ")]}" and is_open and is_open[-1].kind == "operator":
                is_open.pop()
        return is_open

    @property
    def _closer(self) -> str:
        """What ends the braces in which the mistake stands."""
        return "%}" if self._open and self._open[0].kind == "block_begin" else "}}"

    def _bracket(self) -> RawToken | None:
        """Return the innermost bracket that is open at the mistake."""
        return self._open[-1] if self._open and self._open[-1].kind == "operator" else None

    def _open_tag(self, end: int) -> RawToken | None:
        """Return the name of the innermost tag that is not ended before an index."""
        is_open = list[RawToken]()
        for begin, name in pairwise(each for each in self._tokens if each.kind != "whitespace" and each.start < end):
            if begin.kind != "block_begin":
                continue
            if is_open and name.words == f"end{is_open[-1].words}":
                is_open.pop()
            elif name.words in _WITH_END and not re.compile(_SHORT_SET).match(self._source, name.start):
                is_open.append(name)
        return is_open[-1] if is_open else None

    def _is_inside(self, at: int) -> bool:
        """Return whether an index stands within braces, or all is an expression."""
        return self._is_expression or self._source.rfind("{", 0, at) > self._source.rfind("}", 0, at)

    def _tell(self, said: str, hint: str, length: int, at: int | None = None, instead: str = "") -> Diagnostic:
        start = self._at if at is None else at
        end = min(start + max(length, 1), max(len(self._source), start + 1))
        return Diagnostic("T002", said, hint, instead=instead).within(start, end)

    def tag(self) -> Diagnostic | None:
        """Say what is wrong with the name of a tag."""
        if not (match := re.match(r"Encountered unknown tag '(\w+)'", self._said)):
            return None
        name, outer = match[1], self._open_tag(self._at)
        if name in ("elseif", "elsif"):
            return self._tell(f"there is no tag `{name}`", "write `elif`", len(name), instead="elif")
        if name.startswith("end") and name[3:] in _WITH_END and outer:
            end = f"`{{% end{outer.words} %}}`"
            line = self._source.count("\n", 0, outer.start) + 1
            hint = f"`{{% {outer.words} %}}` of line {line} ends with {end}"
            return self._tell(f"`{{% {name} %}}` stands where {end} is missing", hint, len(name))
        if name.startswith("end") and name[3:] in _WITH_END:
            hint = f"remove it, or write `{{% {name[3:]} … %}}` where it begins"
            return self._tell(f"`{{% {name} %}}` ends nothing", hint, len(name))
        if name in ("else", "elif"):
            said = f"`{{% {name} %}}` stands outside of `{{% if %}}`"
            return self._tell(said, "move it before `{% endif %}`", len(name))
        ends = [f"end{each}" for each in _WITH_END]
        near = nearest_word(name, ends if name.startswith("end") else [*_TAGS, "raw", "elif", "else"])
        hint = f"did you mean `{near}`?" if near else f"the tags are {listed(sorted(_TAGS), 'and')}"
        return self._tell(f"there is no tag `{name}`", hint, len(name), instead=near)

    def not_ended(self) -> Diagnostic | None:
        """Say what begins and does not end."""
        outer = self._open_tag(len(self._source) + 1)
        begins = [each for each in self._tokens if each.kind.endswith("_begin")]
        if self._said.startswith("Missing end of comment"):
            return self._tell("the comment is not closed", "`{#` begins a comment, which ends with `#}`", 2)
        if self._said.startswith("Missing end of raw"):
            hint = "write `{% endraw %}` where it ends"
            return self._tell("`{% raw %}` is not ended", hint, len(begins[-1].words), begins[-1].start)
        if self._said.startswith("Unexpected end of template") and outer:
            hint = f"write `{{% end{outer.words} %}}` where it ends"
            return self._tell(f"`{{% {outer.words} %}}` is not ended", hint, len(outer.words), outer.start)
        if self._said.startswith("unexpected end of template") and not self._is_expression:
            said = f"`{begins[-1].words[:2]}` is not closed"
            return self._tell(said, f"write `{self._closer}` where it ends", 2, begins[-1].start)
        return None

    def cut(self) -> Diagnostic | None:
        """Say that an element ends between the braces, as drawing programs write texts in two styles."""
        start = self._at - (self._source[self._at : self._at + 1] == "/")
        found = re.compile(r"</\w[\w:]*>").match(self._source, start)
        if self._is_expression or not found or not self._is_inside(start):
            return None
        opener, whole = ("{%", "{% if card.name %}") if self._closer == "%}" else ("{{", "{{ card.name }}")
        hint = f"type `{whole}` again, in one piece and in one style"
        return self._tell(f"`{found[0]}` cuts `{opener}` in two", hint, len(found[0]), start)

    def phrase(self) -> Diagnostic | None:
        """Say which sign is meant by words that compare, such as `is at most`."""
        for found in re.finditer(_COMPARING, self._source):
            if found.start() <= self._at <= found.end() and self._is_inside(found.start()):
                right = _IN_SIGNS[" ".join(found["words"].split())]
                right = _CONTRARY[right] if found["no"] else right
                words = found[0].rstrip()
                said = f"{quoted(words.lstrip())} does not compare"
                return self._tell(said, f"write `{right}`", len(words), found.start(), right)
        return None

    def slip(self) -> Diagnostic | None:
        """Say which operator is meant by one of another language."""
        start = self._at - 1 if self._source[self._at - 1 : self._at + 1] in ("||", "<>", "=>", "=<") else self._at
        if self._source[start - 2 : start + 1] == "===":
            start -= 2
        written = next((sign for sign in _SLIPS if self._source.startswith(sign, start)), "")
        is_other = self._source.startswith("==", start) or re.search("expected token '(?:in|as|name)'", self._said)
        if not written or (written == "=" and is_other):
            return None
        right, sign = _SLIPS[written], quoted(written.strip())
        said = f"{sign} means nothing in an expression" if written.endswith(";") else f"there is no operator {sign}"
        if written == "=":
            said = f"{sign} does not compare"
        elif right in "\"'" and not written.endswith(";"):
            said = f"{sign} begins no text"
        return self._tell(said, f"write `{right}`", len(written.strip()), start, "" if " " in right else right)

    def bracket(self) -> Diagnostic | None:
        """Say which bracket, brace or quote has no partner, or where a value is missing."""
        sign, opened = self._source[self._at : self._at + 1], self._bracket()
        lacks = re.search(r"expected (?:token )?'[)\]}]'(?:, got 'end of .*')?$", self._said)
        if sign in ('"', "'") and self._said.startswith("unexpected char"):
            return self._tell("the quote is not closed", f"write {quoted(sign)} behind the text, too", 1)
        if opened and (lacks or "end of " in self._said):
            hint = f"write `{_PARTNERS[opened.words]}` where it ends"
            return self._tell(f"`{opened.words}` is not closed", hint, 1, opened.start)
        if "end of template" in self._said and self._is_expression and self._tokens:
            last = [each for each in self._tokens if each.words.strip()][-1]
            said = f"something is missing behind {quoted(last.words)}"
            return self._tell(said, "write what follows it", len(last.words), last.start)
        if not self._said.startswith("unexpected '"):
            return None
        if sign == "}" and not self._is_expression:
            return self._tell("a `}` stands alone", f"write `{self._closer}` where it ends", 1)
        for begin, end in _PARTNERS.items():
            if sign == end:
                return self._tell(f"`{sign}` closes nothing", f"remove it, or write `{begin}` before it", 1)
        hint = "write it" if self._is_expression else f"write it, or end with `{self._closer}` before it"
        return self._tell(f"before `{sign}` a value is missing", hint, 1)

    def other(self) -> Diagnostic:
        """Say it in Jinja2's own words, or nearly."""
        at, opened = self._at, self._bracket()
        token = next((each for each in self._tokens if each.start == at and each.words), None)
        token = token or RawToken(at, "", self._source[at : at + 1])
        wanted = re.fullmatch(r"expected token '(?P<wanted>.+)', got '(?P<found>.*)'", self._said, re.DOTALL)
        braces = re.search(r"\{{3,}$", self._source[: opened.start + 1 if opened else 0])
        hint = ""
        if braces and wanted:
            hint = "write two on each side: `{{ card.name }}`"
            return self._tell("there are too many braces", hint, len(braces[0]), braces.start())
        if self._said == "expected name or number" and re.match(r"\.\.\d", self._source[at - 1 : at + 2]):
            hint = "for numbers from 1 to 9, write for example `1 <= power <= 9`"
            return self._tell("there is no operator `..`", hint, 2, at - 1)
        if self._said == "expected name or number":
            hint = "write it, or remove the `.`" if self._is_expression else "write it, such as `card.name`"
            return self._tell("a name is missing behind `.`", hint, 1)
        if self._said.startswith("Expected an expression"):
            if self._source[:at].rstrip()[-2:] in ("{{", "{%") and not self._is_expression:
                hint = "write what is to be printed between `{{` and `}}`, such as `{{ card.name }}`"
                return self._tell("there is nothing between the braces", hint, len(token.words))
            return self._tell("something is missing at the end", "write what follows", len(token.words))
        if wanted:
            expected = _TOKENS.get(wanted["wanted"], f"`{wanted['wanted']}`")
            found = _TOKENS.get(wanted["found"], quoted(token.words)) if token.words else "the end"
            hint = _EXAMPLES.get(wanted["wanted"], "")
            if wanted["wanted"] in ("end of print statement", "end of statement block"):
                hint = _BETWEEN if token.kind in ("name", "string", "integer") else f"remove {quoted(token.words)}"
                if token.words == "==" and "block" in wanted["wanted"]:
                    hint = "a name gets its value by `=`"
            return self._tell(f"expected {expected}, found {found}", hint, len(token.words))
        if self._said.endswith("` stands behind the end of the expression"):
            hint = _HOLDS if token.words.lower() in _HOLDING else _BETWEEN
            return self._tell(f"{quoted(token.words)} stands behind the end of the expression", hint, len(token.words))
        if self._said.startswith("unexpected char"):
            hint = "names are written as they are, such as `card.name`, and texts in quotes"
            return self._tell(f"`{self._source[at]}` means nothing here", hint, 1)
        said = re.sub(r"'([^']*)'", r"`\1`", self._said)
        return self._tell(said[:1].lower() + said[1:], "", len(token.words))
