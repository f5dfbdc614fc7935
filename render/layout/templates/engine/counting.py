"""Counting calls, inserted into the syntax tree of a template before it is compiled.

Every body (of a loop, macro, block, the template itself) begins with a call that counts its steps, however it is
reached. In templates that are not built in, whatever makes a value of others, or compares them, also counts their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from jinja2 import nodes
from jinja2.lexer import Token

from render.layout.templates.engine.values import LARGEST, TOO_LARGE

# Names of filters; the leading space keeps templates from writing them.
TURN, STEP, HELD, COMPARED, JOINED = " turn", " step", " held", " compared", " joined"
MAXIMUM, MINIMUM = " maximum", " minimum"

REVISION = 4  # of what this module inserts and Jinja2 compiles: raise it with every change, else old code is used
MAX_DEPTH = 60  # expressions or tags inside each other
MAX_NODES = 20_000
MAX_TOKENS = 100_000

_BODIES = (nodes.Template, nodes.For, nodes.Macro, nodes.CallBlock, nodes.Block)
Body = nodes.Template | nodes.For | nodes.Macro | nodes.CallBlock | nodes.Block
_COMPILED_AT_LENGTH = (*_BODIES, nodes.FilterBlock, nodes.Include, nodes.Import, nodes.FromImport)
_HEAVY = 20  # times as long to compile as a name
_CALL = 10  # steps that running a called body costs
_LITERALS = (nodes.List, nodes.Tuple, nodes.Dict)


class Excess(Exception):
    """A template is too large or too deep: the message says in what, `line` where."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def instrument(template: nodes.Template, *, foreign: bool) -> nodes.Template:
    """Return the tree with counting calls; Excess if it is too deep or too large. `foreign` means not built in."""
    if foreign:
        _check_size(template)
        _check_values(template)
    else:
        _spare(template)
    bodies: Iterable[Body] = template.find_all(_BODIES)
    for body in (template, *bodies):
        _count(body)
    return template


def counted_tokens(tokens: Iterator[Token]) -> Iterator[Token]:
    """Yield the tokens of a template; Excess if there are too many, or one is a number that no card has."""
    line = 1
    try:
        for number, token in enumerate(tokens):
            line = token.lineno
            if number > MAX_TOKENS:
                raise Excess(f"a template has at most {MAX_TOKENS:,} words and signs in its tags", line)
            yield token
    except ValueError:  # of Python, for more than 4300 digits
        raise Excess(TOO_LARGE, line) from None


def _spare(template: nodes.Template) -> None:
    """Let built-in templates take the maximum or minimum of a few values uncounted."""
    for node in template.find_all(nodes.Filter):
        if isinstance(node.node, nodes.List) and not (node.args or node.kwargs):
            node.name = {"max": MAXIMUM, "min": MINIMUM}.get(node.name, node.name)


def _check_size(template: nodes.Template) -> None:
    queue: list[tuple[nodes.Node, int]] = [(template, 0)]
    found = 0
    while queue:
        node, depth = queue.pop()
        found += _HEAVY if isinstance(node, _COMPILED_AT_LENGTH) else 1
        if depth > MAX_DEPTH:
            raise Excess(f"expressions and tags are nested more than {MAX_DEPTH} deep", node.lineno)
        if isinstance(node, nodes.Const) and isinstance(node.value, int | float) and not abs(node.value) <= LARGEST:
            raise Excess(TOO_LARGE, node.lineno)
        if found > MAX_NODES:
            raise Excess(f"a template has at most {MAX_NODES:,} expressions and tags", node.lineno)
        queue += [(child, depth + 1) for child in node.iter_child_nodes()]


def _count(body: Body) -> None:
    """Make a body begin by counting its steps. A loop counts turns, those that its `if` skips included."""
    loop = isinstance(body, nodes.For)
    steps = sum(1 for node in body.body for _ in _own(node)) + (1 if loop else _CALL)
    call = _filter(nodes.Const(steps, lineno=body.lineno), TURN if loop else STEP, body)
    if isinstance(body, nodes.For) and body.test is not None:
        body.test = _like(nodes.And(call, body.test), body)
    else:
        body.body.insert(0, _like(nodes.ExprStmt(call), body))


def _own(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and the nodes in it, without bodies that count for themselves."""
    queue = [node]
    while queue:
        each = queue.pop()
        yield each
        if not isinstance(each, _BODIES):
            queue += each.iter_child_nodes()


def _check_values(node: nodes.Node) -> None:
    """Inside a node, wrap whatever makes or compares values in what counts them."""
    for name, value in node.iter_fields():
        if isinstance(value, nodes.Node):
            _check_values(value)
            setattr(node, name, _checked(value, node))
        elif isinstance(value, list):
            for child in value:
                if isinstance(child, nodes.Node):
                    _check_values(child)
            value[:] = [_checked(child, node) if isinstance(child, nodes.Node) else child for child in value]


def _checked(node: nodes.Node, parent: nodes.Node) -> nodes.Node:
    if isinstance(parent, nodes.Output) and isinstance(node, nodes.Const) and node.value is None:
        return _like(nodes.TemplateData(""), node)  # Jinja2 would print it before anybody is asked
    if isinstance(node, nodes.Concat):
        return _filter(nodes.List(node.nodes), JOINED, node)
    if isinstance(node, _LITERALS) and getattr(node, "ctx", "load") == "load" and not _is_plain(node):
        return _filter(node, HELD, node)
    if isinstance(node, nodes.Getitem) and node.ctx == "load" and isinstance(node.arg, nodes.Slice):
        return _filter(node, HELD, node)
    compares = isinstance(parent, nodes.Compare | nodes.Operand | nodes.Getitem)
    if compares and isinstance(node, nodes.Expr) and not isinstance(node, nodes.Const | nodes.Slice):
        return _filter(node, COMPARED, node)
    return node


def _is_plain(node: nodes.Node) -> bool:
    """Return whether a literal holds nothing but constants."""
    return all(isinstance(each, nodes.Const | nodes.Pair | nodes.Neg) for each in node.find_all(nodes.Node))


def _filter(node: nodes.Expr, name: str, like: nodes.Node) -> nodes.Filter:
    return _like(nodes.Filter(node, name, [], [], None, None), like)


Some = TypeVar("Some", bound=nodes.Node)


def _like(node: Some, other: nodes.Node) -> Some:
    """Return a new node with the place of another one."""
    node.set_lineno(other.lineno)
    if other.environment is not None:
        node.set_environment(other.environment)
    return node
