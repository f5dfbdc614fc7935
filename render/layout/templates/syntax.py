"""What a template or an expression says, in its syntax tree: all that it names, each at its index in the text.

All ways through a text count, and nothing is run: Jinja2 asks for what stands within an `if`, an `else` or a macro only
when a card comes that way. Tokens are given their indexes in place of lines, so `lineno` is one in these trees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser
from msgspec.structs import replace

from render.base.caches import BoundedCache, cached, stored
from render.base.findings import Diagnostic, Refused, Span, nearest_word
from render.base.limits import TEMPLATE_WORDS
from render.layout.templates import Source
from render.layout.templates.environment import ENDLESS, FILTERS, TESTS, TOO_DEEP, Sandbox
from render.layout.templates.syntax_mistakes import RawToken, explain
from render.source.nodes import span


class WrongSyntax(Exception):
    """A text that is no Jinja2, or names what does not exist: `problem` says it, at characters of the text."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


OF_JINJA = frozenset(("caller", "loop", "self", "super", "varargs", "kwargs"))
_READ = stored(BoundedCache["Syntax"](200_000, lambda syntax: len(syntax.nodes) + 1))  # nodes: 100 MB at most


@cached(1)
def sandbox() -> Sandbox:
    """Return what reads templates and expressions."""
    return Sandbox()


def read(source: str, *, is_expression: bool = False) -> Syntax:
    """Return what a template says, or an expression, which stands without `{{ }}`; WrongSyntax."""
    return _READ.get((source, is_expression), lambda: _read(re.sub(r"\r\n?", "\n", source), is_expression))


def _read(source: str, is_expression: bool) -> Syntax:
    tokens: list[RawToken] = []
    try:
        return Syntax(source, _parsed(source, is_expression, tokens))
    except RecursionError:
        raise WrongSyntax(Diagnostic("T002", TOO_DEEP)) from None
    except jinja2.TemplateSyntaxError as error:
        raise WrongSyntax(explain(error, source, tokens, is_expression)) from None


def raw_tokens(source: str, state: str | None = None) -> Iterator[RawToken]:
    """Yield the tokens of a text, with white space and comments; TemplateSyntaxError at an index in place of a line."""
    behind, start = 0, 0
    try:
        for _, kind, words in sandbox().lexer.tokeniter(source, None, None, state):
            start = max(source.find(words, behind), behind)  # white space may have been left out between two
            behind = start + len(words)
            yield RawToken(start, kind, words)
    except jinja2.TemplateSyntaxError as error:
        said = error.message or ""
        index = re.search(r" at (\d+)$", said)
        error.lineno = int(index[1]) if index else start if said.startswith("Missing end") else behind
        raise


def _parsed(source: str, is_expression: bool, raw: list[RawToken]) -> nodes.Template:
    """Return the tree of a text, and add its tokens up to a mistake to `raw`; TemplateSyntaxError at an index."""
    environment, state = sandbox(), "variable" if is_expression else None

    def noted() -> Iterator[RawToken]:
        for token in raw_tokens(source, state):
            raw.append(token)
            yield token

    def bounded() -> Iterator[Token]:
        try:
            for number, token in enumerate(environment.lexer.wrap(noted())):
                if number > TEMPLATE_WORDS.most:
                    said = f"a template has at most {TEMPLATE_WORDS} in its tags"
                    raise jinja2.TemplateSyntaxError(said, token.lineno)
                if isinstance(token.value, int | float) and not abs(token.value) <= ENDLESS:
                    raise ValueError
                yield token
        except ValueError:  # also of Python, for more than 4300 digits
            raise jinja2.TemplateSyntaxError("numbers go up to 1e30", raw[-1].start) from None

    parser = Parser(environment, "", state=state)
    parser.stream = TokenStream(bounded(), None, None)
    if not is_expression:
        return parser.parse()
    value = parser.parse_expression()
    if not parser.stream.eos:
        parser.fail(f"`{parser.stream.current.value}` stands behind the end of the expression")
    tree = nodes.Template([nodes.Assign(nodes.Name("result", "store"), value)], lineno=0)
    tree.set_environment(environment)
    return tree


_BY_NAME = {"map": ("filter", 0), "select": ("test", 0), "reject": ("test", 0), "selectattr": ("test", 1),
            "rejectattr": ("test", 1)}  # fmt: skip
"""Filters that are given the name of another filter, or of a test, and as which argument."""


_NEAR = 200  # characters between the beginning of a node and a word of it, mostly spaces


class Syntax:
    """What a text says: its tree, and the names in it, each at its first index.

    A path is a name, such as `card`, or a part of what it names, such as `card.name`.
    """

    def __init__(self, source: str, tree: nodes.Template) -> None:
        self.source, self.tree = source, tree
        self.paths: dict[str, int] = {}  # those asked for
        self.given: set[str] = set()  # names that it gives to anything
        self.macros: set[str] = set()  # those among them that are macros
        self.asked: list[tuple[str, str, int]] = []  # names behind `filter`, `test` or `function`
        self.first: set[str] = set()  # paths that it asks about before it uses them
        self.offered: set[object] = set()  # filters and tests that it asks about
        self.compared: dict[tuple[str, str], int] = {}  # paths with words that they are compared with or looked up by
        self.blocks: list[tuple[str, int]] = []
        found, queue = list[nodes.Node](), list[nodes.Node]([tree])
        while queue:  # no recursion: a template may nest deeper than Python's stack is
            found.append(node := queue.pop())
            queue += reversed([*node.iter_child_nodes()])
        self.nodes: list[nodes.Node] = sorted(found[1:], key=lambda node: node.lineno or 0)
        for node in self.nodes:
            self._add(node)
        self.given |= self.macros

    def _add(self, node: Any) -> None:
        match node:
            case nodes.Name():
                if node.ctx == "load":
                    self.paths.setdefault(node.name, node.lineno)
                else:
                    self.given.add(node.name)
            case nodes.Getattr() if path := path_of(node):
                self.paths.setdefault(path, self.index(node.attr, node))
            case nodes.Filter():
                self.asked.append(("filter", node.name, node.lineno))
                what, number = _BY_NAME.get(node.name, ("", len(node.args)))
                named = node.args[number] if number < len(node.args) else None
                if isinstance(named, nodes.Const) and isinstance(named.value, str):
                    self.asked.append((what, named.value, self.index(named.value, named)))
                if node.name in ("default", "d"):
                    self.first.add(path_of(node.node))
            case nodes.Test():
                self.asked.append(("test", node.name, self.index(node.name, node)))
                if node.name in ("defined", "undefined"):
                    self.first.add(path_of(node.node))
                elif isinstance(node.node, nodes.Const):  # `{% if "svg" is filter %}`
                    self.offered.add(node.node.value)
            case nodes.Call(node=nodes.Name() as function):
                self.asked.append(("function", function.name, function.lineno))
            case nodes.Compare():
                left = node.expr
                for operand in node.ops:
                    if operand.op in ("eq", "ne"):
                        self._compare(left, [operand.expr])
                        self._compare(operand.expr, [left])
                    elif operand.op in ("in", "notin") and isinstance(operand.expr, nodes.List | nodes.Tuple):
                        self._compare(left, operand.expr.items)
                    left = operand.expr
            case nodes.Getitem(node=nodes.Dict() as looked_up):
                self._compare(node.arg, [each.key for each in looked_up.items])
            case nodes.Macro():
                self.macros.add(node.name)
            case nodes.Block():
                self.blocks.append((node.name, self.index(node.name, node)))
            case nodes.Import():
                self.given.add(node.target)
            case nodes.FromImport():
                self.macros.update(name if isinstance(name, str) else name[1] for name in node.names)

    def _compare(self, left: nodes.Expr, words: Iterable[nodes.Expr]) -> None:
        if path := path_of(left):
            for word in words:
                if isinstance(word, nodes.Const) and isinstance(word.value, str) and word.value:
                    self.compared.setdefault((path, word.value), self.index(word.value, word))

    def index(self, word: str, node: nodes.Node) -> int:
        """Return the index of a word that stands near where a node begins; of that, if it is not written like this."""
        return max(self.source.find(word, node.lineno, node.lineno + len(word) + _NEAR), node.lineno)

    def every(self, *kinds: type[nodes.Node]) -> Iterator[Any]:
        """Yield the nodes of these kinds, as they follow each other in the text."""
        return (each for each in self.nodes if isinstance(each, kinds))

    def parts(self, name: str) -> dict[str, int]:
        """Return what is asked of a name, as `part` in `name.part`."""
        asked = ((path.partition("."), at) for path, at in self.paths.items())
        return {part: at for (owner, dot, part), at in asked if dot and owner == name}

    def unknown(self) -> set[str]:
        """Return the names that it asks for, and that neither itself nor Jinja2 gives to anything."""
        names = {path for path in self.paths if "." not in path} - self.given - sandbox().globals.keys()
        return names - {"loop"} if any(self.every(nodes.For)) else names

    @property
    def referenced(self) -> list[str]:
        """The templates that it extends, includes and imports; "" for one whose name it works out."""
        asked = [each.template for each in self.every(nodes.Extends, nodes.FromImport, nodes.Import, nodes.Include)]
        names = [
            name for each in asked for name in (each.items if isinstance(each, nodes.List | nodes.Tuple) else [each])
        ]
        return [each.value if isinstance(each, nodes.Const) and isinstance(each.value, str) else "" for each in names]


def path_of(node: Any) -> str:
    """Return the path that an expression is; "" for any other."""
    match node:
        case nodes.Name():
            return node.name
        case nodes.Getattr(node=nodes.Name() as owner):
            return f"{owner.name}.{node.attr}"
    return ""


# --- other templates --------------------------------------------------------------------------------------------------

Find = Callable[[str], Source]
"""Returns a template by its name, such as `card.svg`; one of UNREAD if it cannot."""
UNREAD = (jinja2.TemplateError, Refused, OSError, UnicodeDecodeError)
"""The exceptions of a template that is not there, or cannot be read."""


def reached(names: Iterable[str], find: Find) -> Iterator[tuple[str, Source | None, Syntax | None]]:
    """Yield templates, and those that they extend, include and import: the name, and what there is of it.

    What cannot be read has no syntax. The name of one that is worked out is "".
    """
    seen, queue = set[str](), [*names]
    while queue:
        if (name := queue.pop()) in seen:
            continue
        seen.add(name)
        source, syntax = None, None
        with suppress(*UNREAD, WrongSyntax):
            source = find(name) if name else None
            syntax = read(source.text) if source else None
        yield name, source, syntax
        queue += syntax.referenced if syntax else ()


def refuse_unknown(syntax: Syntax) -> None:
    """WrongSyntax for a filter or test that does not exist, or a block that is there twice."""
    before = set[str]()
    for name, at in syntax.blocks:
        if name in before:
            hint = f"rename one of the two, or print the first again: `{{{{ self.{name}() }}}}`"
            raise WrongSyntax(Diagnostic("T002", f"there are two blocks `{name}`", hint).within(at, at + len(name)))
        before.add(name)
    for what, name, at in syntax.asked:
        known = {"filter": FILTERS, "test": TESTS}.get(what, frozenset((name,)))
        if name not in known and name not in syntax.offered:
            hint, near = about(what, name, known)
            problem = Diagnostic("T002", f"there is no {what} `{name}`", hint, instead=near)
            raise WrongSyntax(problem.within(at, at + len(name)))


def check(source: Source, others: Iterable[str], find: Find) -> None:
    """Refused for a text that is no Jinja2, or names a filter, test or function that does not exist.

    A function may be a macro of another template, of which it may be known only when a card comes: `others` were read
    before. One that is near none that is known, and no filter, waits for its card.
    """
    try:
        syntax = read(source.text)
        refuse_unknown(syntax)
        known = {*sandbox().globals, *syntax.given, *syntax.first, *OF_JINJA}
        missing = [(name, at) for what, name, at in syntax.asked if what == "function" and name not in known]
        if missing and (brought := _brought(syntax, others, find)) is not None:
            for name, at in missing:
                hint, near = about("function", name, {*sandbox().globals, *syntax.macros})
                if name not in brought and hint:
                    problem = Diagnostic("T002", f"there is no function `{name}`", hint, instead=near)
                    raise WrongSyntax(problem.within(at, at + len(name)))
    except WrongSyntax as wrong:
        raise Refused([problem_in(source, wrong.problem)]) from None


def _brought(syntax: Syntax, others: Iterable[str], find: Find) -> set[str] | None:
    """Return the names that other templates, and those that this one asks for, give to anything.

    Macros of a template are known to those that it extends and includes. None if one asks for another by a name that
    it works out, or cannot be read.
    """
    brought = set[str]()
    for name, source, other in reached([*others, *syntax.referenced], find):
        if other:
            brought |= other.given
        elif source or not name:
            return None
    return brought


def problem_in(source: Source, problem: Diagnostic) -> Diagnostic:
    """Return what is wrong with the syntax of a template at its place in the file."""
    file = Path(source.file)
    place = span(file, source.text, (problem.start, problem.end)) if problem.end else Span(file=file)
    return replace(problem, message=f"the template `{file.stem}` is not valid Jinja2: {problem.message}").at(place)


# --- names of other languages -----------------------------------------------------------------------------------------

_AS_FILTERS = {
    "len": "length", "length": "length", "size": "length", "count": "length", "str": "string", "int": "int",
    "float": "float", "round": "round", "abs": "abs", "sum": "sum", "min": "min", "max": "max", "sorted": "sort",
    "sort": "sort", "upper": "upper", "lower": "lower", "title": "title", "reversed": "reverse", "list": "list",
    "join": "join", "replace": "replace", "unique": "unique", "floor": "round(0, 'floor')", "ceil": "round(0, 'ceil')",
}  # fmt: skip
"""Functions of other languages, and the filters that do what they do."""

_IN_OPERATORS = {
    "square": "value ** 2", "squared": "value ** 2", "sqrt": "value ** 0.5", "pow": "value ** 2", "power": "value ** 2",
    "floor": "value // 1", "concat": "value ~ other", "odd": "value is odd", "even": "value is even",
    "substring": "value[:3]", "split": "value.split(',')", "contains": "'a' in value",
}  # fmt: skip
"""Filters of other languages that are operators, tests or methods here."""


def as_filter(name: str, value: str = "value") -> str:
    """Return a hint on how to write a function of another language here; "" for one that is not known."""
    return f"write `{value}|{_AS_FILTERS[name]}`: `{name}` is a filter" if name in _AS_FILTERS else ""


def as_number(word: str) -> str:
    """Return the hint for a text with which a number is compared."""
    if word.isdecimal():
        return f"write `{word}`, without quotes"
    return "a number is compared with a number, or with `none`"


def about(what: str, name: str, known: Collection[str]) -> tuple[str, str]:
    """Return a hint on what to write for a filter, test or function that does not exist, and the word to use instead.

    "" stands for none; of a function, nothing may be known.
    """
    if hint := as_filter(name) if what == "function" else "":
        return hint, ""
    near = nearest_word(name, sorted({*known, *(_IN_OPERATORS if what == "filter" else ())}))
    if what == "test" and name.lower() in ("null", "nil", "empty"):
        near = "none"
    if near in _IN_OPERATORS and near not in known:
        return f"write `{_IN_OPERATORS[near]}`", ""
    if near or what != "function":
        return (f"did you mean `{near}`?" if near else f"templates/jinja.md lists the {what}s"), near
    return (f"write `value|{name}`" if name in FILTERS else ""), ""
