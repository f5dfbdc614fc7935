"""Random sets of templates and cards, which share much from card to card: what `fuzzed_cards` draws.

Templates have nearly all that templates may have, and cards fill in what decides about it: colors, classes, ids, sizes,
depths, texts. Some values are mistakes.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

_COLORS = ("red", "#00f", "teal", "rgb(9, 99, 200)", "currentColor", "none", "inherit")
_SERVED = ("url(#sky)", "url(#far)")
_FALLBACKS = ("url(#here) gold", "url(#sky) red")
_CLASSES = ("a", "b", "c", "a b", "b a", "a c", "")
_IDS = ("sky", "here", "star", "clip", "own")
_SIZES = ("3", "4.5", "8px", "2em", "20%", "1in", "7pt")
_WORDS = ("Ant", "Bee & Co", "an old <owl>", "wide words of some length", "", "é–“x”", "A  B", "it — is", "x" * 9)
_WRONG = ("-1", "soon", "url(#nowhere)", "1e9", "nan")
_STAR, _VIEW, _THROUGH = "<use href='#star'/>", " viewBox='0 0 9 12'", "opacity='0.5'"


class KeptGame(NamedTuple):
    """Templates and icons by their names, and the values of cards."""

    files: dict[str, str]
    cards: tuple[dict[str, object], ...]

    def write(self, folder: Path) -> Path:
        """Write the files into a folder, and return it."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder


def kept_game(seed: int, cards: int = 8) -> KeptGame:
    """Return the game of a seed."""
    chance = Random(seed)
    written = _Written(chance)
    files = {
        "face.svg": written.face(),
        "parts.svg": written.drawn(2),
        "base.svg": f"{written.head()}{written.shared()}{written.drawn(2)}{{% block body %}}{{% endblock %}}</svg>",
        "made.svg": f"{{% macro made(c, s) %}}{written.drawn(1)}{{% endmacro %}}",
        "disc.svg": written.icon(),
        "drop.svg": written.icon(),
    }
    return KeptGame(files, tuple(_card(chance) for _ in range(cards)))


def _card(chance: Random) -> dict[str, object]:
    wrong = chance.random() < 0.15
    some: dict[str, object] = {
        "color": chance.choice(_COLORS),
        "name": chance.choice(_WORDS),
        "rules": chance.choice(_WORDS) * chance.choice((1, 1, 3)),
        "size": chance.choice(_SIZES),
        "class": chance.choice(_CLASSES),
        "id": chance.choice(_IDS),
        "flag": chance.random() < 0.5,
        "number": chance.randrange(4),
        "shift": chance.choice(("0", "1", "2.5")),
        "raw": chance.choice(_RAW),
        "part": chance.choice(("parts.svg", "parts.svg", "parts.svg", "none.svg" if wrong else "parts.svg")),
    }
    if wrong:
        some[chance.choice(("color", "size", "shift"))] = chance.choice(_WRONG)
    return some


_RAW = (
    "",
    "",
    "<!-- a comment -->",
    "<!-- <text> -->",
    "<rect width='1' height='1'/>",
    "<text x='3' y='3'>raw</text>",
    "<text/>",
    "<g id='here'><rect width='2' height='2'/></g>",
    "<style>.a { stroke: lime }</style>",
    "<text><style>rect { fill: navy }</style>B</text>",
    "<rect width='1' height='1' opacity='0.5'/>",
    "<text x='2' y='5'><![CDATA[ </text> ]]></text>",
    "<defs><rect id='own' width='3' height='3'/></defs>",
)


class _Written:
    """Writes random templates."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def face(self) -> str:
        """Return the template of a face."""
        body = f"{self.shared()}{self.drawn(3)}{self.drawn(3)}{self.drawn(2)}"
        match self._chance.randrange(5):
            case 0:
                return f"{{% extends 'base.svg' %}}{{% block body %}}{body}{{% endblock %}}"
            case 1:
                return (
                    f"{{% import 'made.svg' as m with context %}}{self.head()}{body}{{{{ m.made(color, size) }}}}</svg>"
                )
            case 2:
                return f"{self.head()}{body}{{% include part %}}</svg>"
            case _:
                return f"{self.head()}{body}\n</svg>\n"

    def head(self) -> str:
        """Return the start of the root."""
        some = (
            "",
            "",
            " viewBox='0 0 63.5 88.9'",
            " viewBox='0 0 240 336'",
            " fill='navy'",
            " color='{{ color }}'",
            " font-size='{{ size }}'",
            " clip-rule='evenodd'",
            " opacity='0.5'",
        )
        root = f"xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'{self._pick(some)}"
        return f"<svg {root} width='63.5mm' height='88.9mm'>"

    def shared(self) -> str:
        """Return what is not drawn where it stands."""
        parts = [
            "<linearGradient id='sky'><stop offset='0' stop-color='{{ shade }}'/>"
            f"<stop offset='{self._pick(('1', '{{ number / 4 }}'))}' class='c' stop-color='#fff'/></linearGradient>",
            f"<linearGradient id='far' {self._pick(('xlink:href', 'href'))}='#sky' x1='{self._size()}'"
            f" gradientUnits='{self._pick(('userSpaceOnUse', 'objectBoundingBox'))}'/>",
            f"<style>.a {{ {self._rule()} }} .b {{ {self._rule()} }} rect.c {{ {self._rule()} }}</style>",
            f"<style>{self._pick(('#here', '*', 'g', 'text', 'tspan', '.a.b'))} {{ {self._rule()} }}</style>",
            f"<clipPath id='clip'><rect width='{self._size()}' height='50%'/>{self._maybe(_STAR)}"
            "<path d='M0 0h9v9h-9z M2 2h3v3h-3z'/></clipPath>",
            f"<symbol id='sign' viewBox='0 0 9 9'>{self._shape()}</symbol>",
            f"<rect id='star' width='{self._size()}' height='2' class='{{{{ class }}}}'/>",
        ]
        self._chance.shuffle(parts)
        inside = "".join(parts[1:] if self._rarely() else parts)
        shade = "{% set shade = ['red', 'teal', '#123456', 'gold'][number] %}"
        return shade + self._pick((f"<defs>{inside}</defs>", inside, f"<g>{inside}</g>"))

    def icon(self) -> str:
        """Return an icon."""
        paint = self._pick(("{{ color }}", "teal", "currentColor", "url(#i)", "#333"))
        size = self._pick(("5", "5px", "{{ value or 1 }}"))
        number = self._maybe("<text x='5' y='8' text-anchor='middle' font-size='6' min-size='1'>{{ value }}</text>")
        some = f"<circle cx='5' cy='5' r='{size}' fill='{paint}'/>{number}"
        sky = "<linearGradient id='i'><stop stop-color='{{ color }}'/></linearGradient>" if paint == "url(#i)" else ""
        sky = self._pick((sky, sky, sky, ""))
        return f"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>{sky}{some}</svg>"

    def drawn(self, depth: int) -> str:
        """Return some parts of a drawing."""
        return "".join(self._between() + self._part(depth) for _ in range(self._chance.randrange(1, 5)))

    def _part(self, depth: int) -> str:
        kinds = (self._text, self._shape, self._shape, self._copy, self._picture)
        if not depth or self._chance.random() < 0.5:
            return self._chance.choice(kinds)()
        inside = self.drawn(depth - 1)
        return self._pick(
            (
                f"<g {self._look(depth)}>{inside}</g>",
                f"<g {self._look(depth)} transform='translate({{{{ shift }}}} 1)'>{inside}</g>",
                f"{{% if flag %}}{inside}{{% endif %}}",
                f"{{% if flag %}}<g>{inside}</g>{{% else %}}{inside}{{% endif %}}",
                f"{{% for i in range(number) %}}{inside}{{% endfor %}}",
                f"<svg x='1' width='{self._pick(('30', '50%', '{{ size }}'))}' height='40'"
                f"{self._maybe(_VIEW)}>{inside}</svg>",
                f"<switch><g>{inside}</g></switch>",
                f"<a>{inside}</a>",
                "{{ raw|safe }}" + inside,
            )
        )

    def _between(self) -> str:
        return self._pick(("", "", "\n  ", "<!-- note -->", "{# none #}", "{{ raw|safe }}" if self._rarely() else ""))

    def _look(self, depth: int = 0) -> str:
        looks = (
            f"fill='{self._pick((*_COLORS, '{{ color }}', '{{ shade }}'))}'",
            f"class='{self._pick(('a', 'b', 'a b', '{{ class }}'))}'",
            f"id='{self._pick(('one', '{{ id }}' if self._rarely() else 'two'))}'",
            f"style='{self._rule()}'",
            f"opacity='{self._pick(('0.5', '1', '{{ number / 3 }}'))}'",
            "clip-path='url(#clip)'" if depth else "stroke-linejoin='round'",
            f"color='{self._pick(('red', '{{ shade }}', 'teal'))}'",
            f"font-size='{self._size()}'",
            "clip-rule='evenodd'",
            "visibility='hidden'" if self._rarely() else "fill-opacity='0.7'",
            "stroke='#333' stroke-width='1%'" if self._rarely() else "stroke-width='1%'",
            "font-weight='bold'",
        )
        return self._chance.choice(looks)

    def _shape(self) -> str:
        shapes = (
            f"<rect {self._look()} width='{self._size()}' height='{self._size()}'/>",
            f"<rect width='9' height='{self._size()}' fill='{self._paint()}'/>",
            f"<circle {self._look()} cx='5' cy='5' r='3'/>",
            f"<path d='M0 0h9v9z' stroke='{self._paint()}'/>",
            "<line x2='{{ shift }}' y2='9' stroke='red' stroke-dasharray='1 2' stroke-dashoffset='1'/>",
            f"<path {self._look()} d='M1 1c2 3 4 5 6 {self._pick(('6', '7', '{{ shift }}'))}'>"
            "<title>{{ name }}</title></path>",
        )
        return self._chance.choice(shapes)

    def _copy(self) -> str:
        what = self._pick(("#star", "#star", "#sign", "#{{ id }}" if self._rarely() else "#star"))
        link = self._pick(("href", "xlink:href"))
        return f"<use {link}='{what}' x='{self._pick(('2', '{{ shift }}'))}' {self._fill()}/>"

    def _fill(self) -> str:
        return f"fill='{self._pick((*_COLORS, '{{ shade }}'))}'"

    def _picture(self) -> str:
        return f"<image {self._maybe(_THROUGH)} width='{self._size()}' height='9' href='{self._pick(('p', 'q'))}.png'/>"

    def _text(self) -> str:
        place = self._pick(("x='2' y='9'", "x='{{ shift }}' y='12'", "y='9'"))
        room = self._pick(("", "", " width='40' min-size='1'", " width='50' height='30' min-size='0.5'"))
        return f"<text {place}{room} {self._text_look()}>{self._words()}{self._words()}</text>"

    def _text_look(self) -> str:
        looks = (
            "fill='{{ color }}'" if self._rarely() else "fill='teal'",
            f"font-size='{self._pick(('3', '4px', '1.2em', '{{ size }}'))}'",
            f"class='{self._pick(('a', '{{ class }}'))}'" if self._rarely() else "font-style='italic'",
            f"id='{self._pick(('name', 'rules'))}'",
            "fill-opacity='0.6'",
            "clip-path='url(#clip)'" if self._rarely() else "text-anchor='middle'",
        )
        return self._chance.choice(looks)

    def _words(self) -> str:
        icon = f"<icon href='{self._pick(('disc', 'drop'))}.svg' value='{{{{ number }}}}' words='*'/>"
        return self._pick(
            (
                "{{ name }}",
                "{{ rules }}",
                "Ant",
                f"<tspan {self._text_look()}>{{{{ name }}}}</tspan>",
                "<tspan x='2' dy='1em'>{{ name }}</tspan>" if self._rarely() else " &amp; ",
                f"{{% if flag %}}{icon}{{% endif %}}",
                icon,
                "{# #}<!-- </g> -->",
            )
        )

    def _rule(self) -> str:
        return self._pick(
            (
                "fill: {{ shade or 'red' }}",
                "fill: blue",
                "fill: teal; opacity: .5",
                "stroke: gold" if self._rarely() else "stroke-width: 2px",
                "font-size: 4px",
                "fill: url(#far)" if self._rarely() else "letter-spacing: 0.1px",
                "color: {{ shade or 'red' }}",
                "display: {{ 'none' if flag else 'inline' }}",
            )
        )

    def _paint(self) -> str:
        return self._pick((*_COLORS, *_SERVED, *_FALLBACKS, "{{ color }}", "{{ shade }}"))

    def _size(self) -> str:
        return self._pick((*_SIZES, "{{ size }}"))

    def _pick(self, some: tuple[str, ...]) -> str:
        return self._chance.choice(some)

    def _maybe(self, text: str) -> str:
        return text if self._chance.random() < 0.4 else ""

    def _rarely(self) -> bool:
        return self._chance.random() < 0.15
