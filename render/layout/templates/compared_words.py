"""The words with which expressions compare names: a field that is one of several words is never another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jinja2 import nodes

Named = Callable[[nodes.Node], str]
"""Returns the name that a part of an expression asks for; "" if it does more, or something else."""

_EQUALS, _AMONG = ("eq", "ne"), ("in", "notin")


def compared_words(tree: nodes.Node, named: Named) -> Iterator[tuple[str, str]]:
    """Yield each name with a word that it is compared with, looked for among, or looked up as a key."""
    for compare in tree.find_all(nodes.Compare):
        left = _bare(compare.expr)
        for operand in compare.ops:
            right = _bare(operand.expr)
            if operand.op in _EQUALS:
                yield from _pairs(named(left), [right])
                yield from _pairs(named(right), [left])
            elif operand.op in _AMONG and isinstance(right, nodes.List | nodes.Tuple):
                yield from _pairs(named(left), right.items)
            left = right
    for item in tree.find_all(nodes.Getitem):
        table = _bare(item.node)
        if isinstance(table, nodes.Dict):
            yield from _pairs(named(_bare(item.arg)), [each.key for each in table.items])


def as_number(word: str) -> str:
    """Return the hint for a text with which a number is compared."""
    return (
        f"write `{word}`, without quotes" if word.isdecimal() else "a number is compared with a number, or with `none`"
    )


def _pairs(name: str, words: list[nodes.Expr]) -> Iterator[tuple[str, str]]:
    for word in map(_bare, words) if name else ():
        if isinstance(word, nodes.Const) and isinstance(word.value, str) and word.value:
            yield name, word.value


def _bare(node: nodes.Expr) -> nodes.Expr:
    """Return a part of an expression without what counts its cost: a filter whose name begins with a space."""
    while isinstance(node, nodes.Filter) and node.name.startswith(" ") and node.node is not None:
        node = node.node
    return node


def as_name(node: nodes.Node) -> str:
    """Return the name that a part of an expression is; "" for any other."""
    return node.name if isinstance(node, nodes.Name) else ""


def as_key_of_card(node: nodes.Node) -> str:
    """Return the key that a part of a template asks of `card`; "" for any other."""
    is_key = isinstance(node, nodes.Getattr) and as_name(node.node) == "card"
    return node.attr if is_key and isinstance(node, nodes.Getattr) else ""
