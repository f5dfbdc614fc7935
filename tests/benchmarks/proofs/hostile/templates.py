"""Templates of sets from anywhere: loops without end, values without bounds, drawings that nobody could draw.

Each case is a set with a template made at random of pieces that are harmless, wrong, or far too much. `check`, `png`
and `pdf` must agree whether it can be drawn; what can be drawn is the same in a second run.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from proofs.hostile.bounds import Attempt, Case

NUMBERS = (
    "0", "-0", "1", "0.5", "-3", "63.5", "88.9", "9999", "10000", "-10000", "1e4", "1e5", "1e300", "-1e300", "1e-300",
    "1e999", "nan", "inf", "0.001", "0.0001", "1e-9", "90", "89.9999", "180", "3mm", "1in", "50%", "", "x", "9" * 400,
    "1e-7", "12345",
)  # fmt: skip
COUNTS = (0, 1, 2, 3, 10, 40, 100, 1000, 5000, 20_000, 99_999, 100_000, 100_001, 10**9, 10**30)
VALUES = (
    "1", "0", "-1", "2.5", "'a'", "''", "'Hello '", "[1, 2]", "(1, 2)", "{'a': 1}", "none", "true", "card",
    "card.name", "range(5)", "card.paragraphs", "a", "b", "ns.x", "loop", "self", "caller", "range", "dict",
    "namespace", "card.items()", "'ab'.upper", "1e308", "'\\u00e9\\ud800'", "'%s'", "'{}'", "10**9", "10000000000",
    "'a' * 1000", "[0] * 1000", "range(100000)", "varargs", "super", "nix",
)  # fmt: skip
FILTERS = (
    "abs", "batch({})", "capitalize", "center({})", "count", "default({})", "dictsort", "escape", "first", "float",
    "forceescape", "format({})", "groupby({})", "indent({})", "int", "items", "join({})", "last", "length", "list",
    "lower", "map('upper')", "max", "min", "reject('odd')", "replace('a', {})", "reverse", "round({})", "safe",
    "select", "slice({})", "sort", "string", "sum", "title", "trim({})", "truncate({})", "unique", "upper",
    "wordcount", "random", "pprint", "tojson", "attr({})", "map({})", "wordwrap({})", "xmlattr", "urlize", "shuffle",
)  # fmt: skip
METHODS = (
    "upper()", "center({})", "join({})", "replace({}, {})", "split({})", "zfill({})", "format({})", "strip({})",
    "items()", "keys()", "count({})", "index({})", "encode()", "translate({})", "__class__", "mro()", "pop()",
    "update({})", "get({})", "upper",
)  # fmt: skip
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "in", "and", "or", "is")
SHAPES: Sequence[tuple[str, Sequence[str]]] = (
    ("rect", ("x", "y", "width", "height", "rx", "ry")),
    ("circle", ("cx", "cy", "r")),
    ("ellipse", ("cx", "cy", "rx", "ry")),
    ("line", ("x1", "y1", "x2", "y2")),
)
LOOKS = ("stroke-width", "stroke-miterlimit", "fill-rule")
WORDS = (*NUMBERS, "none", "black", "#123456", "round", "miter", "evenodd", "bold", "visible", "middle", "justify")


class Maker:
    """Makes pieces of templates, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.odd = self.rng.choice((0.0, 0.01, 0.05, 0.3))

    def pick(self, of: Sequence[str]) -> str:
        return self.rng.choice(of)

    def count(self) -> int:
        return self.rng.choice(COUNTS)

    def number(self) -> str:
        return self.pick(NUMBERS) if self.rng.random() < self.odd else f"{self.rng.uniform(0.1, 60):.2f}"

    def value(self, depth: int = 0) -> str:
        """Return an expression."""
        roll = self.rng.random()
        if depth > 4 or roll < 0.35:
            return self.pick(VALUES)
        if roll < 0.55:
            return f"{self.value(depth + 1)}|{self.pick(FILTERS).replace('{}', self.value(depth + 2))}"
        if roll < 0.65:
            return f"({self.value(depth + 1)}).{self.pick(METHODS).replace('{}', self.value(depth + 2))}"
        if roll < 0.9:
            return f"({self.value(depth + 1)} {self.pick(OPERATORS)} {self.value(depth + 1)})"
        if roll < 0.95:
            return f"[{self.value(depth + 1)}, {self.value(depth + 1)}]"
        return f"({self.value(depth + 1)})[{self.pick(('0', '-1', ':', '::2', '1:', self.value(depth + 2)))}]"

    def shape(self) -> str:
        tag, names = self.rng.choice(SHAPES)
        attributes = " ".join(f'{name}="{self.number()}"' for name in names)
        return f"<{tag} {attributes}{self.look()}/>"

    def look(self) -> str:
        parts = ["", ' stroke="black"', f' transform="{self.transform()}"', f' stroke-dasharray="{self.dashes()}"']
        parts += [f' {name}="{self.worth()}"' for name in LOOKS]
        return "".join(self.rng.sample(parts, self.rng.randint(0, 3)))

    def worth(self) -> str:
        """Return the value of a presentation attribute, mostly one that it may have."""
        return self.pick(WORDS) if self.rng.random() < self.odd else f"{self.rng.uniform(1, 9):.2f}"

    def transform(self) -> str:
        name, count = self.rng.choice(
            (("scale", 1), ("scale", 2), ("translate", 2), ("rotate", 1), ("skewX", 1), ("matrix", 6))
        )
        return f"{name}({' '.join(self.number() for _ in range(count))})" * self.rng.choice((1, 1, 1, 2, 40))

    def dashes(self) -> str:
        return " ".join(self.number() for _ in range(self.rng.choice((1, 2, 3, 500))))

    def points(self, most: int) -> str:
        return " ".join(f"{self.number()},{self.number()}" for _ in range(self.rng.choice((1, 2, 5, 50, most))))

    def path(self) -> str:
        parts = [f"M{self.number()} {self.number()}"]
        for _ in range(self.rng.choice((1, 5, 50, 3000))):
            name, count = self.rng.choice((("L", 2), ("l", 2), ("C", 6), ("Q", 4), ("t", 2), ("H", 1), ("Z", 0)))
            parts.append(name + " ".join(self.number() for _ in range(count)))
        if self.rng.random() < 0.3:
            parts.append(f"A {self.number()} {self.number()} {self.number()} 1 0 {self.number()} {self.number()}")
        return " ".join(parts)

    def text(self) -> str:
        names = (
            "x",
            "y",
            "width",
            "height",
            "font-size",
            "min-size",
            "size-step",
            "leading",
            "line-gap",
            "min-stretch",
        )
        chosen = self.rng.sample(names, self.rng.randint(0, 5))
        attributes = " ".join(f'{name}="{self.number()}"' for name in chosen)
        words = self.pick(
            (
                "Hello",
                "a" * 5000,
                "a-" * 3000,
                "a " * 4000,
                "&#769;" * 2000,
                "{{ card.name }}",
                f"{{{{ {self.value()} }}}}",
            )
        )
        return f"<text {attributes}>{words}</text>"

    def drawing(self, depth: int = 0) -> str:
        roll = self.rng.random()
        if roll < 0.4 or depth > 3:
            return self.shape()
        if roll < 0.45:
            return self.text()
        if roll < 0.55:
            return f'<path d="{self.path()}"{self.look()}/>'
        if roll < 0.62:
            return f'<{self.pick(("polygon", "polyline"))} points="{self.points(3000)}"{self.look()}/>'
        inner = "".join(self.drawing(depth + 1) for _ in range(self.rng.randint(1, 3)))
        if roll < 0.72:
            return f"<g{self.look()}>{inner}</g>"
        if roll < 0.8:
            box = f'width="{self.number()}" height="{self.number()}" viewBox="0 0 {self.number()} {self.number()}"'
            return f"<svg {box}>{inner}</svg>"
        return self.tag(inner, depth)

    def tag(self, inner: str, depth: int) -> str:
        roll = self.rng.random()
        if roll < 0.4:
            over = self.pick((f"range({self.count()})", self.value(), "[1, 2, 3]"))
            return f"{{% for a in {over} %}}{inner}{{% endfor %}}"
        if roll < 0.5:
            return f"{{% set a = {self.value()} %}}{inner}"
        if roll < 0.6:
            return f"{{% if {self.value()} %}}{inner}{{% endif %}}"
        if roll < 0.7:
            name = f"m{depth}"
            macro = f"{{% macro {name}(n) %}}{inner}{{{{ {name}(n) if n else '' }}}}{{% endmacro %}}"
            return f"{macro}{{{{ {name}({self.value()}) }}}}"
        if roll < 0.8:
            grown = self.pick(
                ("[ns.x, ns.x]", "ns.x ~ ns.x", "ns.x + ns.x", "(ns.x,) * 9", "dict(a=ns.x, b=ns.x)", self.value())
            )
            return f"{{% for i in range({self.count()}) %}}{{% set ns.x = {grown} %}}{{% endfor %}}{inner}"
        if roll < 0.9:
            asked = self.pick(("'tip.svg'", "'back.svg'", self.value()))
            return f"{{% include {asked} %}}{inner}"
        return inner * self.pick_times()

    def pick_times(self) -> int:
        return self.rng.choice((1, 2, 10, 200))

    def template(self) -> str:
        root = (
            f'width="{self.number()}" height="{self.number()}"'
            if self.rng.random() < 0.05
            else 'width="63.5" height="88.9"'
        )
        drawn = "\n".join(self.drawing() for _ in range(self.rng.randint(1, 4)))
        start = "{% set ns = namespace(x=['a']) %}{% set a = 1 %}{% set b = 'b' %}"
        return f'{start}<svg xmlns="http://www.w3.org/2000/svg" {root}>\n{drawn}\n</svg>\n'


COMMANDS = (
    ("check", "s"),
    ("png", "s", "--out", "one"),
    ("pdf", "s", "--out", "one.pdf"),
    ("png", "s", "--out", "two"),
)


def cases(seed: int) -> Iterator[Case]:
    """Yield sets, each with a template made at random."""
    number = 0
    while True:
        name = f"{seed}:{number}"
        yield Case(name, partial(_write, number=seed * 1_000_003 + number), COMMANDS, _agree)
        number += 1


def _write(folder: Path, number: int) -> None:
    templates = folder / "s" / "templates"
    templates.mkdir(parents=True)
    (folder / "s" / "set.yaml").write_text("name: Test\nedition: 17\nback: none\n", encoding="utf-8")
    (folder / "s" / "cards.yaml").write_text(
        "- {name: One, kind: tip, text: Draw 1 card.}\n- {name: Two, kind: tip, text: Draw 2 cards.}\n",
        encoding="utf-8",
    )
    text = Maker(number).template()
    (templates / "tip.svg").write_text(text, encoding="utf-8", errors="replace")


def _agree(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    check, *others = attempts
    faults = [
        f"check ends with {check.status}, {other.arguments[0]} with {other.status}"
        for other in others
        if other.status != check.status
    ]
    if check.status == 0 and _pictures(folder / "one") != _pictures(folder / "two"):
        faults.append("two runs draw different pictures")
    return faults


def _pictures(folder: Path) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*.png"))]
