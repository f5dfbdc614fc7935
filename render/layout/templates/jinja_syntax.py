"""Jinja2 that cannot be read: what is wrong in it, in our words, and at which characters.

Jinja2 names the line alone. So its parser reads the text once more, with tokens that carry offsets instead of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import jinja2
from jinja2 import nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from render.base.findings import Diagnostic, listed, nearest_word, quoted
from render.layout.templates.environment import FILTERS
from render.layout.templates.names import NO_SUCH, about_filter, as_filter, asked_for, every, functions_near, sandbox


class _RawToken(NamedTuple):
    start: int
    kind: str
    words: str

    @property
    def end(self) -> int:
        return self.start + len(self.words)


def read_again(source: str, said: str, *, is_expression: bool = False) -> Diagnostic:
    """Return what Jinja2 finds wrong with a text, and at which characters, of which it said `said`.

    If it does not find that again, those are its words alone. `is_expression` is for a text that is one expression,
    without `{{ }}`.
    """
    reading = _Reading(re.sub(r"\r\n?", "\n", source), said, is_expression)
    if (at := reading.place()) is None:
        return Diagnostic("T002", said.rstrip("."))
    reading.at = at
    ways = (reading.unknown, reading.tag, reading.not_ended, reading.cut, reading.phrase, reading.slip, reading.bracket)
    return next(filter(None, (way() for way in ways)), None) or reading.other()


_WITH_END = ("autoescape", "block", "call", "filter", "for", "if", "macro", "set", "with")
_TAGS = (*_WITH_END, "extends", "from", "import", "include")
_TWICE = re.compile(r"block '(\w+)' defined twice")
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '(\w+)'\.?")
_WANTED = re.compile(r"expected token '(?P<wanted>.+)', got '(?P<found>.*)'", re.DOTALL)

_NO_OPERATOR, _NO_COMPARING, _NO_QUOTE = "there is no operator {}", "{} does not compare", "{} begins no text"
_ESCAPED = "{} means nothing in an expression"
_SLIPS = {
    "=>": (_NO_OPERATOR, ">="), "=<": (_NO_OPERATOR, "<="), "<>": (_NO_OPERATOR, "!="), "!==": (_NO_OPERATOR, "!="),
    "===": (_NO_OPERATOR, "=="), "&&": (_NO_OPERATOR, "and"), "||": (_NO_OPERATOR, "or"), "^": (_NO_OPERATOR, "**"),
    "&amp;&amp;": (_ESCAPED, "and"), "&lt;": (_ESCAPED, "<"), "&gt;": (_ESCAPED, ">"), "&quot;": (_ESCAPED, '"'),
    "&apos;": (_ESCAPED, "'"), "&amp;": (_ESCAPED, "and"), "!": (_NO_OPERATOR, "not"), "=": (_NO_COMPARING, "=="),
    "“": (_NO_QUOTE, '"'), "”": (_NO_QUOTE, '"'), "„": (_NO_QUOTE, '"'), "‘": (_NO_QUOTE, "'"), "’": (_NO_QUOTE, "'"),
    "×": (_NO_OPERATOR, "*"), "÷": (_NO_OPERATOR, "/"), "−": (_NO_OPERATOR, "-"), "&": (_NO_OPERATOR, "and"),
    "≥": (_NO_OPERATOR, ">="), "≤": (_NO_OPERATOR, "<="), "≠": (_NO_OPERATOR, "!="), "AND ": (_NO_OPERATOR, "and"),
    "OR ": (_NO_OPERATOR, "or"), "NOT ": (_NO_OPERATOR, "not"), "And ": (_NO_OPERATOR, "and"),
    "Or ": (_NO_OPERATOR, "or"), "? ": (_NO_OPERATOR, "one if condition else another"),
}  # fmt: skip
"""Operators of other languages, and what drawing programs make of signs: what is said of each, and what to write.

Longer ones stand before those with which they begin.
"""

_IN_SIGNS = {
    "at most": "<=", "at least": ">=", "less than": "<", "lower than": "<", "below": "<", "more than": ">",
    "greater than": ">", "higher than": ">", "above": ">", "equal to": "==",
}  # fmt: skip
_CONTRARY = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!="}
_COMPARING = re.compile(
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
_BEHIND = re.compile(r"`.*` stands behind the end of the expression", re.DOTALL)
_BETWEEN = "write an operator between two values: `and`, `or`, `+`, or `~`, which joins texts"
_PARTNERS = {"(": ")", "[": "]", "{": "}"}


class _Reading:
    """A text that is read once more; `tokens` are those up to the mistake, and `behind` is where they end.

    `at` is the index of the mistake of which Jinja2 says `said`. Each way to tell it returns None if it is another one.
    """

    def __init__(self, source: str, said: str, is_expression: bool) -> None:
        self._source, self._said, self._is_expression = source, said, is_expression
        self._functions: list[str] = []
        self._tokens: list[_RawToken] = []
        self._behind = 0
        self.at = 0

    def place(self) -> int | None:
        """Return the index of the mistake; None if Jinja2 does not say it again."""
        said, unknown, twice = self._said, NO_SUCH.match(self._said), _TWICE.fullmatch(self._said)
        try:
            tree = self._parsed()
        except jinja2.TemplateSyntaxError as error:
            if error.message != said:
                return None
            if said.startswith("Missing end"):
                return self._tokens[-1].start if self._tokens else 0
            in_lexer = error.lineno < 0 or said.startswith("unexpected char")
            index = re.search(r" at (\d+)$", said)
            return error.lineno if not in_lexer else int(index[1]) if index else self._behind
        except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
            return None
        self._functions = functions_near(tree)
        if unknown:  # what was read, but does not exist
            named = (each.line for each in asked_for(tree) if (each.what, each.name) == unknown.group("what", "name"))
            return next(named, None)
        blocks = sorted(each.lineno for each in every(tree, nodes.Block) if twice and each.name == twice[1])
        return blocks[1] if len(blocks) > 1 else None

    def _parsed(self) -> nodes.Node:
        environment = sandbox()
        parser = Parser(environment, "", state="variable" if self._is_expression else None)
        parser.stream = TokenStream(environment.lexer.wrap(self._raw()), None, None)
        if not self._is_expression:
            return parser.parse()
        found = parser.parse_expression()
        if not parser.stream.eos:
            parser.fail(f"`{parser.stream.current.value}` stands behind the end of the expression")
        return nodes.Template([nodes.Output([found])])

    def _raw(self) -> Iterator[tuple[int, str, str]]:
        """Yield the tokens of the text, each with its index in place of its line."""
        state = "variable" if self._is_expression else None
        try:
            for _, kind, words in sandbox().lexer.tokeniter(self._source, None, None, state):
                start = self._source.find(words, self._behind)  # white space may have been left out between two
                self._tokens.append(_RawToken(max(start, self._behind), kind, words))
                self._behind = self._tokens[-1].end
                yield self._tokens[-1]
        except jinja2.TemplateSyntaxError as error:
            error.lineno = -1  # of the lexer: it is no index
            raise

    def _token_at(self, at: int) -> _RawToken:
        """Return the token that begins at an index; one character if none does."""
        one = _RawToken(at, "", self._source[at : at + 1])
        return next((each for each in self._tokens if each.start == at and each.words), one)

    def _open_bracket(self, before: int) -> int | None:
        """Return where the innermost bracket stands that is not closed before an index."""
        found: list[int] = []
        for each in self._tokens:
            if each.start >= before:
                break
            if each.kind.endswith("_begin"):
                found.clear()
            elif each.kind == "operator" and each.words in "([{":
                found.append(each.start)
            elif each.kind == "operator" and each.words in ")]}" and found:
                found.pop()
        return found[-1] if found else None

    def _opener(self, before: int) -> str:
        """Return the braces that begin the tag or expression in which an index stands."""
        kinds = (each.kind for each in reversed(self._tokens) if each.start < before)
        return "{%" if next((kind for kind in kinds if kind.endswith("_begin")), "") == "block_begin" else "{{"

    def _open_tag(self, before: int) -> _RawToken | None:
        """Return the name of the innermost tag that is not ended before an index."""
        found: list[_RawToken] = []
        words = [each for each in self._tokens if each.kind != "whitespace" and each.start < before]
        for begin, name, *rest in zip(
            words, words[1:], words[2:] + words[-1:], words[3:] + words[-1:] * 2, strict=False
        ):
            if begin.kind != "block_begin":
                continue
            if found and name.words == f"end{found[-1].words}":
                found.pop()
            elif name.words in _WITH_END and not (name.words == "set" and any(each.words == "=" for each in rest)):
                found.append(name)
        return found[-1] if found else None

    # --- what is wrong -----

    def _mistake(self, said: str, hint: str, at: int, length: int, instead: str = "") -> Diagnostic:
        end = min(at + max(length, 1), max(len(self._source), at + 1))
        return Diagnostic("T002", said, hint, instead=instead).within(at, end)

    def unknown(self) -> Diagnostic | None:
        """Say that there is no such filter or test, or that a block is there twice."""
        unknown, twice = NO_SUCH.match(self._said), _TWICE.fullmatch(self._said)
        if unknown:
            name = unknown["name"]
            at = max(self._source.find(name, self.at), 0)
            if unknown["what"] == "function":
                near = "" if as_filter(name) else nearest_word(name, self._functions)
                hint = f"did you mean `{near}`?" if near else as_filter(name) or f"write `value|{name}`"
                return self._mistake(f"there is no function `{name}`", hint, at, len(name), near)
            known = sorted(FILTERS) if unknown["what"] == "filter" else sorted(sandbox().tests)
            if unknown["what"] == "filter":
                hint, near = about_filter(name, known)
                return self._mistake(f"there is no filter `{name}`", hint, at, len(name), near)
            near = "none" if name.lower() in ("null", "nil", "empty") else nearest_word(name, known)
            hint = f"did you mean `{near}`?" if near else "templates/README.md lists the tests"
            return self._mistake(f"there is no test `{name}`", hint, at, len(name), near)
        if twice:
            at = max(self._source.find(twice[1], self.at), 0)
            hint = f"rename one of the two, or print the first again: `{{{{ self.{twice[1]}() }}}}`"
            return self._mistake(f"there are two blocks `{twice[1]}`", hint, at, len(twice[1]))
        return None

    def tag(self) -> Diagnostic | None:
        """Say what is wrong with the name of a tag."""
        match = _UNKNOWN_TAG.match(self._said)
        if not match:
            return None
        name, outer = match[1], self._open_tag(self.at)
        if name in ("elseif", "elsif"):
            return self._mistake(f"there is no tag `{name}`", "write `elif`", self.at, len(name), "elif")
        if name.removeprefix("end") in _WITH_END and name.startswith("end"):
            if outer:
                said = f"`{{% {name} %}}` stands where `{{% end{outer.words} %}}` is missing"
                line = self._source.count("\n", 0, outer.start) + 1
                where = f"`{{% {outer.words} %}}` of line {line}"
                return self._mistake(said, f"{where} ends with `{{% end{outer.words} %}}`", self.at, len(name))
            began = f"`{{% {name[3:]} … %}}`"
            hint = f"remove it, or write {began} where it begins"
            return self._mistake(f"`{{% {name} %}}` ends nothing", hint, self.at, len(name))
        if name in ("else", "elif"):
            said = f"`{{% {name} %}}` stands outside of `{{% if %}}`"
            return self._mistake(said, "move it before `{% endif %}`", self.at, len(name))
        ends = [f"end{each}" for each in _WITH_END]
        near = nearest_word(name, ends if name.startswith("end") else [*_TAGS, "raw", "elif", "else"])
        hint = f"did you mean `{near}`?" if near else f"the tags are {listed(sorted(_TAGS), 'and')}"
        return self._mistake(f"there is no tag `{name}`", hint, self.at, len(name), near)

    def not_ended(self) -> Diagnostic | None:
        """Say what begins and does not end."""
        if self._said.startswith("Missing end of comment"):
            return self._mistake("the comment is not closed", "`{#` begins a comment, which ends with `#}`", self.at, 2)
        if self._said.startswith("Missing end of raw"):
            hint = "write `{% endraw %}` where it ends"
            return self._mistake("`{% raw %}` is not ended", hint, self.at, len(self._token_at(self.at).words))
        outer = self._open_tag(len(self._source) + 1)
        if self._said.startswith("Unexpected end of template") and outer:
            hint = f"write `{{% end{outer.words} %}}` where it ends"
            return self._mistake(f"`{{% {outer.words} %}}` is not ended", hint, outer.start, len(outer.words))
        if self._said.startswith("unexpected end of template") and not self._is_expression:
            opener = self._opener(self.at + 1)
            begins = [each.start for each in self._tokens if each.kind.endswith("_begin")]
            closer = "%}" if opener == "{%" else "}}"
            return self._mistake(f"`{opener}` is not closed", f"write `{closer}` where it ends", begins[-1], 2)
        return None

    def cut(self) -> Diagnostic | None:
        """Say that an element ends between the braces, as drawing programs write texts in two styles."""
        start = self.at - (self._source[self.at : self.at + 1] == "/")
        found = re.compile(r"</\w[\w:]*>").match(self._source, start)
        if self._is_expression or not found or not self._is_inside(start):
            return None
        opener = self._opener(self.at)
        whole = "`{{ card.name }}`" if opener == "{{" else "`{% if card.name %}`"
        hint = f"type {whole} again, in one piece and in one style"
        return self._mistake(f"`{found[0]}` cuts `{opener}` in two", hint, found.start(), len(found[0]))

    def _is_inside(self, at: int) -> bool:
        """Return whether an index stands within braces, or all is an expression."""
        return self._is_expression or self._source.rfind("{", 0, at) > self._source.rfind("}", 0, at)

    def phrase(self) -> Diagnostic | None:
        """Say which sign is meant by words that compare, such as `is at most`."""
        for found in _COMPARING.finditer(self._source):
            start = found.start()
            if start <= self.at <= found.end() and self._is_inside(start):
                right = _IN_SIGNS[" ".join(found["words"].split())]
                right = _CONTRARY[right] if found["no"] else right
                said = _NO_COMPARING.format(quoted(found[0].strip()))
                return self._mistake(said, f"write `{right}`", start, len(found[0].rstrip()), right)
        return None

    def slip(self) -> Diagnostic | None:
        """Say which operator is meant by one of another language."""
        start = self.at - 1 if self._source[self.at - 1 : self.at + 1] in ("||", "<>", "=>", "=<") else self.at
        if self._source[start - 2 : start + 1] == "===":
            start -= 2
        written = next((sign for sign in _SLIPS if self._source.startswith(sign, start)), "")
        is_set = written == "=" and re.search("expected token '(?:in|as|name)'", self._said)
        if not written or (written == "=" and self._source.startswith("==", start)) or is_set:
            return None
        said, right = _SLIPS[written]
        sign, instead = written.strip(), "" if " " in right else right
        return self._mistake(said.format(quoted(sign)), f"write `{right}`", start, len(sign), instead)

    def bracket(self) -> Diagnostic | None:
        """Say which bracket, brace or quote has no partner."""
        sign = self._source[self.at : self.at + 1]
        opened = self._open_bracket(self.at)
        if sign in ('"', "'") and self._said.startswith("unexpected char"):
            return self._mistake("the quote is not closed", f"write {quoted(sign)} behind the text, too", self.at, 1)
        lacks = re.search(r"expected (?:token )?'[)\]}]'(?:, got 'end of .*')?\.?$", self._said)
        if opened is not None and (lacks or "end of " in self._said):
            bracket = self._source[opened]
            partner = _PARTNERS[bracket]
            return self._mistake(f"`{bracket}` is not closed", f"write `{partner}` where it ends", opened, 1)
        if "end of template" in self._said and self._is_expression and self._tokens:
            last = [each for each in self._tokens if each.words.strip()][-1]
            said = f"something is missing behind {quoted(last.words)}"
            return self._mistake(said, "write what follows it", last.start, len(last.words))
        if not self._said.startswith("unexpected '"):
            return None
        opener = self._opener(self.at)
        if sign == "}" and not self._is_expression:
            closer = "%}" if opener == "{%" else "}}"
            return self._mistake("a `}` stands alone", f"write `{closer}` where it ends", self.at, 1)
        if sign in (")", "]", "}"):
            begins = next(bracket for bracket, partner in _PARTNERS.items() if partner == sign)
            return self._mistake(f"`{sign}` closes nothing", f"remove it, or write `{begins}` before it", self.at, 1)
        if not self._is_expression:
            hint = f"write it, or end with `{'%}' if opener == '{%' else '}}'}` before it"
            return self._mistake(f"before `{sign}` a value is missing", hint, self.at, 1)
        return self._mistake(f"before `{sign}` a value is missing", "write it", self.at, 1)

    def other(self) -> Diagnostic:
        token, wanted = self._token_at(self.at), _WANTED.fullmatch(self._said)
        length = len(token.words)
        braces = re.search(r"\{{3,}$", self._source[: (self._open_bracket(self.at) or 0) + 1])
        if braces and wanted:
            hint = "write two on each side: `{{ card.name }}`"
            return self._mistake("there are too many braces", hint, braces.start(), len(braces[0]))
        if self._said == "expected name or number":
            if self._source[self.at - 1 : self.at + 1] == ".." and self._source[self.at + 1 : self.at + 2].isdigit():
                hint = "for numbers from 1 to 9, write for example `1 <= power <= 9`"
                return self._mistake(_NO_OPERATOR.format("`..`"), hint, self.at - 1, 2)
            hint = "write it, or remove the `.`" if self._is_expression else "write it, such as `card.name`"
            return self._mistake("a name is missing behind `.`", hint, self.at, 1)
        if self._said.startswith("Expected an expression"):
            if self._source[: self.at].rstrip()[-2:] in ("{{", "{%") and not self._is_expression:
                hint = "write what is to be printed between `{{` and `}}`, such as `{{ card.name }}`"
                return self._mistake("there is nothing between the braces", hint, self.at, length)
            return self._mistake("something is missing at the end", "write what follows", self.at, length)
        if wanted:
            expected = _TOKENS.get(wanted["wanted"], f"`{wanted['wanted']}`")
            found = _TOKENS.get(wanted["found"], quoted(token.words)) if length else "the end"
            hint = _EXAMPLES.get(wanted["wanted"], "")
            if wanted["wanted"] in ("end of print statement", "end of statement block"):
                hint = _BETWEEN if token.kind in ("name", "string", "integer") else f"remove {quoted(token.words)}"
                if token.words == "==" and "block" in wanted["wanted"]:
                    hint = "a name gets its value by `=`"
            return self._mistake(f"expected {expected}, found {found}", hint, self.at, length)
        if _BEHIND.fullmatch(self._said):
            said = f"{quoted(token.words)} stands behind the end of the expression"
            return self._mistake(said, _BETWEEN, self.at, length)
        if self._said.startswith("unexpected char"):
            hint = "names are written as they are, such as `card.name`, and texts in quotes"
            return self._mistake(f"`{self._source[self.at]}` means nothing here", hint, self.at, 1)
        said = re.sub(r"'([^']*)'", r"`\1`", self._said.rstrip("."))
        return self._mistake(said[:1].lower() + said[1:], "", self.at, length)
