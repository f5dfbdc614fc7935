"""Kinds of files: the letter of their codes, their noun, and which keys people mean who write other words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from render.base.findings import Diagnostic, nearest_word
from render.base.patterns import regex
from render.source.nodes import Document, Node, Scalar, describe_node
from render.source.scalar_values import ScalarStyle

_TRUTHS = {"yes": ("true",), "on": ("true",), "1": ("true",), "no": ("false",), "off": ("false",), "0": ("false",)}
_PUNCTUATION = regex(r"[\s_-]+")


class FileKind(Struct, frozen=True):
    """What a file describes: the letter of its codes, the word for it in messages, and an example for each key.

    `examples` begins with the key that such a file begins with. An example may be given for a dotted path. `synonyms`
    are words that people write, each with the keys that it may mean. `new_key` says how an author adds a key, if one can.
    """

    family: str
    noun: str
    examples: Mapping[str, str]
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    new_key: str = ""

    def meant(self, word: str, known: Collection[str]) -> str:
        """Return the known key that somebody means who writes `word`: in other letters, another word; "" if none."""
        plain = _PUNCTUATION.sub("_", word.strip()).lower()
        synonyms: tuple[str, ...] = (*self.synonyms.get(plain, ()), *_TRUTHS.get(plain, ()))
        for each in (plain, *synonyms):
            if each in known and each != word:
                return each
        return nearest_word(word, known)

    def no_mapping(self, document: Document, node: Node) -> Diagnostic:
        """Return what is said of a node that is no mapping."""
        if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN:
            from render.source.slips import odd_lines

            extent = node.start, node.start + len(document.text[node.start : node.end].partition("\n")[0])
            told = odd_lines.table_header(document.text, extent) or odd_lines.no_pair(document.text, extent)
            if told:
                problem = replace(told, code=f"{self.family}001")
                return problem.at(document.between(told.start, told.end))
        a_noun = f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"
        key, example = next(iter(self.examples.items()))
        hint = f"{a_noun} begins with a line such as `{key}: {example}`"
        if isinstance(node, Scalar) and not node.value and document.text[: node.start].endswith("-"):
            hint = f"remove the `-`, or write {a_noun} behind it"
        message = f"expected the keys of {a_noun}, found {describe_node(node)}"
        return Diagnostic(f"{self.family}001", message, hint).at(document.span(node))
