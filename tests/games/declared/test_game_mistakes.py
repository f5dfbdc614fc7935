"""Mistakes in `game.yaml` and in cards of such games, one at a time, and all that `kotc check` says of each.

`game_mistakes.txt` has the words. `python -m tests.games.declared.test_game_mistakes` writes them anew, for you to read
the difference.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.games.declared.lanterns import FILES, write_files
from tests.support.font_making import Made, write_font
from tests.support.golden_words import golden_words, write_golden
from tests.support.repository import ROOT
from tests.support.sets import kotc

GOLDEN = Path(__file__).with_name("game_mistakes.txt")

FIELDS = """\
  family: {required: true, pattern: "[A-Z].*", hint: begin with a capital}
  weight: {type: number, range: [1, 5000]}
  rarity: {type: choice, choices: [common, rare], default: common}
"""
KINDS = "  beast: {fields: [family, weight!, rarity]}\n"


def game(fields: str = FIELDS, kinds: str = KINDS, more: str = "") -> dict[str, str]:
    """Return the file of a game."""
    return {"game.yaml": f"name: Lanterns\nfields:\n{fields}kinds:\n{kinds}{more}"}


def field(text: str) -> dict[str, str]:
    """Return the file of a game with one more field."""
    return game(fields=f"{FIELDS}  {text}\n")


def kind(text: str) -> dict[str, str]:
    """Return the file of a game with one kind."""
    return game(kinds=f"  beast: {text}\n")


def more(text: str) -> dict[str, str]:
    """Return the file of a game with one more key."""
    return game(more=f"{text}\n")


def card(text: str) -> dict[str, str]:
    """Return a card file."""
    return {"cards.yaml": f"- {{{text}}}\n"} | game()


def front(text: str) -> dict[str, str]:
    """Return the files of a game whose template has more in it."""
    shown = '<text y="9">{{ card.family }} {{ card.weight }}</text>'
    return game() | {"templates/beast.svg": f'<svg width="63.5" height="88.9">\n{text}\n{shown}</svg>\n'}


def icon(content: str) -> str:
    """Return the file of an icon."""
    return f'<svg width="10" height="10" viewBox="0 0 10 10">{content}</svg>\n'


def extending(text: str, frame: str = "{% block corner %}{% endblock %}") -> dict[str, str]:
    """Return the files of a game whose template extends another one."""
    shown = '<text y="9">{{ card.family }} {{ card.weight }}</text>'
    page = f'<svg width="63.5" height="88.9">{shown}{frame}</svg>\n'
    return game() | {"templates/frame.svg": page, "templates/beast.svg": f'{{% extends "frame.svg" %}}\n{text}\n'}


DISC = icon('<circle cx="5" cy="5" r="5"/>')
DOG = "name: Dog, kind: beast, family: Dogs, weight: 20"

MISTAKES: Mapping[str, Mapping[str, str]] = {
    "empty file": {"game.yaml": ""},
    "a list": {"game.yaml": "- beast\n- token\n"},
    "no name": {"game.yaml": "kinds: {beast: {}}\n"},
    "no kinds": {"game.yaml": "name: Lanterns\n"},
    "kinds are empty": {"game.yaml": "name: Lanterns\nkinds: {}\n"},
    "kinds are a list": {"game.yaml": "name: Lanterns\nkinds: [beast, token]\n"},
    "misspelt key": more("colours: {ember: '#b5432a'}"),
    "misspelt type": field("speed: {type: numbr}"),
    "type of another program": field("speed: {type: integer}"),
    "type as the short form": field("speed: numbers"),
    "a field in capitals": field("Speed: {type: number}"),
    "a field that every card has": field("name: {type: line}"),
    "a field that templates know as something else": field("items: {type: list}"),
    "a field is a list": field("speed: [1, 2]"),
    "unknown key of a field": field("speed: {type: number, maximum: 9}"),
    "a pattern for a number": field('speed: {type: number, pattern: "[0-9]+"}'),
    "choices without a choice": field("speed: {type: line, choices: [slow, fast]}"),
    "a choice without choices": field("speed: {type: choice}"),
    "choices are a word": field("speed: {type: choice, choices: {slow: 1}}"),
    "a number that a template goes through": {
        **game(),
        "templates/beast.svg": '<svg width="63.5" height="88.9"><text y="9">{{ card.family }}\n'
        "{% for each in card.weight %}{{ each }}{% endfor %}</text></svg>\n",
    },
    "a number that is compared with a text": field("strong: {value: \"weight == '3' or weight in (4, 'many')\"}"),
    "a number that a template compares with a text": {
        **game(),
        "templates/beast.svg": '<svg width="63.5" height="88.9"><text y="9">{{ card.family }}'
        "{% if card.weight == '20' %}\n{{ card.weight }}{% endif %}</text></svg>\n",
    },
    "choices without brackets": field("speed:\n    type: choice\n    choices: slow, fast"),
    "a choice twice": field("speed: {type: choice, choices: [slow, fast, slow]}"),
    "a default that is no choice": field("speed: {type: choice, choices: [slow, fast], default: fsat}"),
    "a default out of range": field("speed: {type: number, range: [1, 9], default: 12}"),
    "a default against the pattern": field('speed: {pattern: "[a-z]+", default: Fast, hint: in small letters}'),
    "a default of what is required": field("speed: {type: number, required: true, default: 1}"),
    "required in words": field("speed: {type: number, required: always}"),
    "range in words": field("speed: {type: number, range: 1-9}"),
    "range upside down": field("speed: {type: number, range: [9, 1]}"),
    "pattern without end": field('speed: {pattern: "[a-z"}'),
    "pattern that looks ahead": field('speed: {pattern: "(?=x)y"}'),
    "pattern that refers back": field(r"speed: {pattern: '(a)\1'}"),
    "pattern that is huge": field('speed: {pattern: "(a{99}){99}"}'),
    "an alias of two fields": field("speed: {type: number, aliases: [weight]}"),
    "an alias that every card has": field("speed: {type: number, aliases: [copies]}"),
    "a derived field with a default": field("speed: {value: weight * 2, default: 3}"),
    "expression with a slip": field("speed: {value: wieght * 2}"),
    "expression in braces": field('speed: {value: "{{ weight }}"}'),
    "expression without end": field("speed: {value: weight * }"),
    "two expressions": field("speed: {value: weight weight}"),
    "expression with an operator turned round": field("speed: {value: weight => 3}"),
    "expression with one sign of equality": field("speed: {value: weight = 3}"),
    "expression with signs of another language": field('speed: {value: "weight > 3 && family"}'),
    "expression with bars": field('speed: {value: "weight > 3 || family"}'),
    "expression with an exclamation mark": field('speed: {value: "!weight"}'),
    "expression with a question mark": field('speed: {value: "weight > 3 ? 1 : 2"}'),
    "expression in capitals": field("speed: {value: weight > 3 AND weight < 9}"),
    "expression with an open bracket": field("speed: {value: (weight + 1}"),
    "expression with an open quote": field('speed: {value: "family == \'Dogs"}'),
    "expression as in a template": field("speed: {value: card.weight + 1}"),
    "expression with a function": field("speed: {value: len(family)}"),
    "expression with a word of a choice": field("speed: {value: rarity == rare}"),
    "expression with nothing": field("speed: {value: weight != null}"),
    "unknown filter": field("speed: {value: weight | squared}"),
    "a filter that is misspelt": field("speed: {value: weight | sqaure}"),
    "a filter that is misspelt behind an if": field("speed: {value: family | uper if weight else family}"),
    "a test that is misspelt behind an if": field("speed: {value: (family is uper) if weight else false}"),
    "a filter of a message that is misspelt behind an if": kind(
        '{check: [{that: weight > 1, message: "{{ family if weight else family | uper }} is light"}]}'
    ),
    "a name in a loop that is misspelt behind an if": front(
        '{% if card.weight > 9000 %}{% for dot in range(3) %}<circle r="{{ dott }}"/>{% endfor %}{% endif %}'
    ),
    "a macro of another template that is misspelt behind an if": front(
        '{% import "m.svg" as signs %}{% if card.weight > 9000 %}{{ signs.disk() }}{% endif %}'
    )
    | {"templates/m.svg": "{% macro disc() %}<g/>{% endmacro %}"},
    "a macro of another template that is misspelt on every way": front(
        '{% import "m.svg" as signs %}{{ signs.disk() }}'
    )
    | {"templates/m.svg": "{% macro disc() %}<g/>{% endmacro %}"},
    "a macro that is imported by a misspelt name": front('{% from "m.svg" import disk %}{{ disk() }}')
    | {"templates/m.svg": "{% macro disc() %}<g/>{% endmacro %}"},
    "an icon whose ending is in capitals": {**more("icons: {T: icons/t.SVG}"), "icons/t.SVG": DISC},
    "a choice that is compared with a misspelt word": field("strong: {value: rarity == 'rear'}"),
    "a choice that is compared with no word of it": kind(
        "{check: [{that: \"rarity in ['rare', 'epic']\", message: no}]}"
    ),
    "a choice that is no key": field("color: {value: \"{'common': '#ccc', 'rear': '#fc0'}[rarity]\"}"),
    "a kind that is compared with a misspelt word": field("strong: {value: \"weight if 'baest' == kind else none\"}"),
    "a message that compares a choice with a misspelt word": kind(
        "{check: [{that: weight > 1, message: \"{{ 'so' if rarity != 'rear' }} light\"}]}"
    ),
    "a choice that a template compares with a misspelt word": front("{% if card.rarity == 'rear' %}<g/>{% endif %}"),
    "a kind that a template compares with a misspelt word": front("{% if card.kind in ('best', 'x') %}<g/>{% endif %}"),
    "a block that is misspelt": extending("{% block cornr %}<g/>{% endblock %}"),
    "a block that no template has": extending(
        "{% block border %}<g/>{% endblock %}", "{% block art %}{% endblock %}{% block text %}{% endblock %}"
    ),
    "a block of a template without blocks": extending("{% block border %}<g/>{% endblock %}", ""),
    "words outside of blocks": extending(
        '{# a corner #}<!-- <g/> -->\n  <rect width="9" height="9"/>{% block corner %}{% endblock %}'
    ),
    "a template that is extended by a misspelt name": front("") | {"templates/beast.svg": '{% extends "bakc.svg" %}\n'},
    "a template that is misspelt behind an if": front('{% if card.weight > 9000 %}{% include "bakc.svg" %}{% endif %}'),
    "a template that is not there behind an if": front(
        '{% if card.weight > 9000 %}{% import "zigzags.svg" as z %}{% endif %}'
    ),
    "a template with a slip behind an if": front('{% if card.weight > 9000 %}{% include "part.svg" %}{% endif %}')
    | {"templates/part.svg": "<g>\n{% if %}</g>\n"},
    "a key of the card that is misspelt behind an if": front("{% if card.weight > 9000 %}{{ card.wieght }}{% endif %}"),
    "a key of the card that is misspelt on every way": front("<text>{{ card.wieght }}</text>"),
    "a key that no card has, behind an if": front("{% if card.weight > 9000 %}<g/>{{ card.zzz }}{% endif %}"),
    "a filter of a template that is misspelt behind an if": front(
        "{% if card.weight > 9000 %}<text>{{ card.family|uper }}</text>{% endif %}"
    ),
    "a filter that a template gives by its name": front(
        "{% if card.weight > 9000 %}<text>{{ card.name|list|map('uper')|join }}</text>{% endif %}"
    ),
    "a test of a template that is misspelt in an else": front(
        "{% if card.weight %}{% else %}{% if card.family is lowr %}<g/>{% endif %}{% endif %}"
    ),
    "a function of a template that is misspelt in a macro": front(
        "{% macro dots(number) %}{% for _ in rnage(number) %}<g/>{% endfor %}{% endmacro %}"
    ),
    "a macro of a template that is misspelt in an else": front(
        "{% macro dots(number) %}<g/>{% endmacro %}{% if card.weight %}{% else %}\n  {{ dot(3) }}{% endif %}"
    ),
    "a function of a template that is a filter": front(
        "{% if card.weight > 9000 %}<text>{{ len(card.family) }}</text>{% endif %}"
    ),
    "an expression as in a class": field("speed: {value: self.weight * 2}"),
    "an expression with a range": field("speed: {value: weight in 1..9}"),
    "an expression in words": field("speed: {value: weight is at most 9}"),
    "an expression in words with not": field("speed: {value: weight is not more than 9}"),
    "a circle of one": field("speed: {value: speed + 1}"),
    "a circle of three": game(fields=f"{FIELDS}  a: {{value: b + 1}}\n  b: {{value: c + 1}}\n  c: {{value: a + 1}}\n"),
    "an unknown field of a kind": kind("{fields: [familiy, weight]}"),
    "a field of a kind twice": kind("{fields: [family, weight, family]}"),
    "a key of every card as a field of a kind": kind("{fields: [family, art]}"),
    "a derived field that must be given": game(
        fields=f"{FIELDS}  s: {{value: weight}}\n", kinds="  beast: {fields: [weight, s!]}\n"
    ),
    "a kind in capitals": game(kinds="  Beast: {}\n"),
    "a kind is a word": kind("animal"),
    "unknown key of a kind": kind("{field: [family]}"),
    "copies of a kind in words": kind("{copies: many}"),
    "no copies of a kind": kind("{copies: 0}"),
    "three faces": kind("{faces: 3}"),
    "one template for two sides": kind("{faces: [day]}"),
    "templates named twice": kind("{faces: [day, night], template: beast}"),
    "a back outside the game": kind("{back: ../back.png}"),
    "a rule is a text": kind("{check: [weight > 1]}"),
    "a rule without message": kind("{check: [{that: weight > 1}]}"),
    "a rule with a slip": kind("{check: [{that: wieght > 1, message: too light}]}"),
    "a rule whose message has a slip": kind('{check: [{that: weight > 1, message: "{{ nmae }} is light"}]}'),
    "a rule of itself": kind("{check: [{that: self.weight > 1, message: too light}]}"),
    "a rule whose message speaks of itself": kind('{check: [{that: weight > 1, message: "{{ self.name }} is light"}]}'),
    "a rule whose message is not closed": kind('{check: [{that: weight > 1, message: "{{ name is light"}]}'),
    "a rule of an unknown severity": kind("{check: [{that: weight > 1, message: too light, severity: fatal}]}"),
    "an icon in braces": more("icons: {'{T}': icons/turn.svg}"),
    "an icon that is a picture": more("icons: {T: icons/turn.png}"),
    "an icon without a file": more("icons: {T: {size: 0.9}}"),
    "an icon with a share as its size": more("icons: {T: {file: icons/turn.svg, size: 90%}}"),
    "an icon that is too large": more("icons: {T: {file: icons/turn.svg, size: 5}}"),
    "an icon with a key that is misspelt": more("icons: {T: {file: icons/turn.svg, sizes: 1}}"),
    "an icon with a size that is not there": more("icons: {T: {file: icons/turn.svg, size: 1.2}}"),
    "an icon that is not there": more("icons: {T: icons/turn.svg}"),
    "an icon that is misspelt": {**more("icons: {T: icons/trun.svg}"), "icons/turn.svg": "<svg/>"},
    "icons are a list": more("icons: [icons/turn.svg]"),
    "colors are a word": more("colors: ember"),
    "an icon that asks for the card": front('<text y="19">{{ card.rules }}</text>')
    | card(f'{DOG}, rules: "{{T}}"')
    | game(f"{FIELDS}  rules: rich\n", "  beast: {}\n", "icons: {T: icons/t.svg}\n")
    | {"icons/t.svg": '<svg width="9" height="9"><rect width="9" height="9" fill="{{ card.family }}"/></svg>\n'},
    "an icon without a name": {**more("icons: {T: icons/t.svg}"), "icons/t.svg": DISC, "icons/u.svg": DISC},
    "an icon of no text, with a slip in its file": {
        **more("icons: {T: icons/t.svg}"),
        "icons/t.svg": icon('<circle r="4" fil="#b5432a"/><rect width="9" height="9" rx="two"/>'),
    },
    "an icon of no text, left open": {**more("icons: {T: icons/t.svg}"), "icons/t.svg": icon("<g><circle r='4'/>")},
    "an icon of no text and one of a text, with one slip": card('name: Dog, rules: "{U}"')
    | game("  rules: rich\n", "  beast: {}\n", "icons: {T: icons/t.svg, U: icons/u.svg}\n")
    | {
        "templates/beast.svg": '<svg width="63.5" height="88.9"><text y="9">{{ card.rules }}</text></svg>\n',
        "icons/t.svg": icon('<circle r="4" fil="#b5432a"/>'),
        "icons/u.svg": icon('<circle r="4" fil="#b5432a"/>'),
    },
    "an icon whose file is empty": {**more("icons: {T: icons/t.svg}"), "icons/t.svg": ""},
    "an icon without a drawing": {**more("icons: {T: icons/t.svg}"), "icons/t.svg": icon("<g/><!-- <circle/> -->")},
    "an icon beside its page": {
        **more("icons: {T: icons/t.svg}"),
        "icons/t.svg": icon('<circle cx="120" cy="80" r="4"/>'),
    },
    "an icon that is hidden": {
        **more("icons: {T: icons/t.svg}"),
        "icons/t.svg": icon('<g style="opacity:0"><circle r="4"/></g><rect width="4" height="0"/>'),
    },
    "an icon of a line without width": {
        **more('icons: {"#": icons/t.svg}'),
        "icons/t.svg": icon('<path d="M1 1h8"/>{% if value == "99" %}<circle r="4"/>{% endif %}'),
    },
    "an icon that shows a value and is none of numbers": {
        **more("icons: {T: icons/t.svg}"),
        "icons/t.svg": icon('<text y="8">{{ value }}</text>'),
    },
    "a font that is not there": more("fonts: {body: fonts/Body.ttf}"),
    "an icon outside the game": more("icons: {T: ../turn.svg}"),
    "a color without quotes": more("colors:\n  ember: #b5432a"),
    "a color by name": more("colors: {ember: red}"),
    "a font without a file": more("fonts: {body: {fallback: [DejaVu Sans]}}"),
    "a font that is none": more("fonts: {body: fonts/Body.woff2}"),
    "a font of a name that is near": {**more("fonts: {body: fonts/Bdoy.ttf}"), "fonts/Body.ttf": ""},
    "a font packed for the web": more("fonts: {body: {files: [fonts/Body.woff]}}"),
    "a collection of fonts": more("fonts: {body: fonts/Body.ttc}"),
    "a font twice in a list": more("fonts: {body: {files: [fonts/Body.ttf, fonts/Body.ttf]}}"),
    "a font twice": more("fonts: {body: {file: a.ttf, files: [b.ttf]}}"),
    "fonts by their weight": more("fonts: {body: {regular: fonts/Body.ttf, bold: fonts/Body-Bold.ttf}}"),
    "a list of fonts": more("fonts: {body: [fonts/Body.ttf, fonts/Body-Bold.ttf]}"),
    "a font that is none, beside a role that falls back": {
        **more("fonts: {body: {file: fonts/Body.ttf, fallback: [DejaVu Sans]}, title: fonts/Title.ttf}"),
        "fonts/Body.ttf": "",
        "fonts/Title.ttf": "",
    },
    "an axis in words": more("fonts: {body: {file: a.ttf, axes: {weight: 650}}}"),
    "words are a list": more("words: [Flying]"),
    "a deck as a number": more("deck: 60"),
    "a deck as a stretch of numbers": more("deck: {size: 40-60, copies: 3}"),
    "a table without brackets": more("table: name, weight"),
    "an order turned round": more("order: [-weight, name]"),
    "an expression as keys and values": field("strong: {value: {weight: 3}}"),
    "a deck of no cards": more("deck: {size: 0}"),
    "a deck upside down": more("deck: {size: [60, 40]}"),
    "a column that is no field": more("table: [name, wieght]"),
    "an order by no field": more("order: [kind, nmae]"),
    "the same id for all": more("id: name"),
    "an id of an unknown field": more('id: "{{ nmae }}"'),
    "the key twice": more("name: Lamps"),
    "a folder that is not there": {"set.yaml": "name: Beasts\ngame: ../lanterns\n"},
    "a folder without a game": {"set.yaml": "name: Beasts\ngame: ./art\n", "art/a.txt": ""},
    "a folder of one machine": {"set.yaml": "name: Beasts\ngame: C:\\games\\lanterns\n"},
    "an unknown game": {"set.yaml": "name: Beasts\ngame: lantern\n"},
    "card: unknown key": card(f"{DOG}, wieght: 3"),
    "card: a field that the game lacks": card(f"{DOG}, tide: 3"),
    "card: a key of another kind": card(f"{DOG}, wings: 2")
    | game(fields=f"{FIELDS}  wings: number\n", kinds=f"{KINDS}  bird: {{}}\n"),
    "card: a derived key of another kind": card("name: Dog, kind: beast, heavy: 2")
    | game(
        fields=f"{FIELDS}  heavy: {{value: weight > 20}}\n",
        kinds="  beast: {fields: []}\n  ox: {fields: [weight, heavy]}\n",
    ),
    "card: a derived key": card(f"{DOG}, heavy: 2") | field("heavy: {value: weight > 20}"),
    "card: without what it must have": card("name: Dog, kind: beast"),
    "card: unknown kind": card("name: Dog, kind: best, family: Dogs"),
    "card: a kind that the game lacks": card("name: Dog, kind: island, family: Dogs"),
    "card: without kind": card("name: Dog, family: Dogs") | game(kinds=f"{KINDS}  token: {{}}\n"),
    "card: a number in words": card(DOG.replace("20", "heavy")),
    "card: a number out of range": card(DOG.replace("20", "6000")),
    "card: a number in quotes": card(DOG.replace("20", '"20"')),
    "card: no choice": card(f"{DOG}, rarity: rear"),
    "card: a choice that the game lacks": card(f"{DOG}, rarity: mythic"),
    "card: against the pattern": card(DOG.replace("Dogs", "dogs")),
    "card: two names for one": card(f"{DOG}, mass: 3")
    | game(fields=FIELDS.replace("range: [1, 5000]", "range: [1, 5000], aliases: [mass]")),
    "card: faces of a kind without": card(f"{DOG}, faces: []"),
    "card: a key of the set": card(f"{DOG}, sheet: {{paper: a4}}"),
    "card: a list of lists": card(f"{DOG}, tags: [[a]]") | game(f"{FIELDS}  tags: list\n", "  beast: {}\n"),
    "card: a flag in words": card(f"{DOG}, wild: perhaps") | game(f"{FIELDS}  wild: flag\n", "  beast: {}\n"),
    "card: a picture outside": card(f"{DOG}, badge: ../b.png") | game(f"{FIELDS}  badge: picture\n", "  beast: {}\n"),
    "card: a template that is not there": card(f"{DOG}, template: baest"),
    "card: divided by nothing": card(DOG) | field("speed: {value: weight / (weight - 20)}"),
    "card: an expression that never ends": card(DOG) | field('speed: {value: "9 ** 99999999"}'),
    "card: an expression that eats memory": card(DOG) | field("speed: {value: \"'a' * 10 ** 9\"}"),
    "cards: a kind lacks what a field follows from": {
        "cards.yaml": f"- {{{DOG}}}\n- {{name: Joker, kind: token}}\n- {{name: Jester, kind: token}}\n",
        "templates/token.svg": FILES["templates/token.svg"],
        **game(fields=f"{FIELDS}  speed: {{value: weight * 2}}\n", kinds=f"{KINDS}  token: {{fields: []}}\n"),
    },
    "cards: what asks for too much is not judged by on other cards": {
        "cards.yaml": f"- {{{DOG}}}\n- {{{DOG.replace('Dog,', 'Fox,')}}}\n",
        **game(
            fields=f'{FIELDS}  speed: {{value: "9 ** 99999999"}}\n',
            kinds="  beast: {check: [{that: speed > 1, message: too slow}]}\n",
        ),
    },
    "cards: a rule that asks of a number that is missing": {
        "cards.yaml": "- {name: Dog, kind: beast, family: Dogs}\n",
        **kind("{check: [{that: weight > 1, message: no}]}"),
    },
    "card: a rule with a message of its own": card(DOG)
    | kind(
        '{check: [{that: weight > 50, message: "{{ name }} weighs {{ weight }} kg", hint: "add {{ 51 - weight }}"}]}'
    ),
    "card: a rule that stops at a member": card(DOG) | kind("{check: [{that: name.length > 9, message: no}]}"),
    "card: a rule that cannot be judged": card(DOG) | kind("{check: [{that: weight / 0 > 1, message: no}]}"),
    "cards: a rule that compares a text with a number": {
        "cards.yaml": f"- {{{DOG}}}\n- {{{DOG.replace('Dog,', 'Fox,')}}}\n",
        **kind("{check: [{that: weight > family, message: no}]}"),
    },
    "a back that is not there": kind("{back: bcak}"),
    "a back with the ending of its template": kind("{back: back.svg}"),
    "a back of a template that is not drawn yet": kind("{back: sea.svg}"),
    "a back by the file of its template": {
        **kind("{back: templates/back.svg}"),
        "templates/back.svg": '<svg width="63.5" height="88.9">\n<path d="M{{ 1 + 2 }} 9h9"/></svg>\n',
    },
    "a back whose picture is not there": kind("{back: art/back.png}"),
    "paragraphs in a line": {
        "cards.yaml": f'- {{{DOG}, rules: "One.\\n\\n**Two.**"}}\n',
        "templates/beast.svg": '<svg width="63.5" height="88.9">\n<text y="9">{{ card.rules }}</text></svg>\n',
        **game(f"{FIELDS}  rules: rich\n", "  beast: {}\n"),
    },
    "rich text in lines of a drawing program": front('<text><tspan x="1" y="9">{{ card.rules }}</tspan></text>')
    | card(f'{DOG}, rules: "{{T}}: Run."')
    | game(f"{FIELDS}  rules: rich\n", "  beast: {}\n", "icons: {T: icons/t.svg}\n")
    | {"icons/t.svg": '<svg width="9" height="9"><rect width="9" height="9"/></svg>\n'},
    "a value that a drawing program cut in two": front('<text y="9"><tspan>{{ card.</tspan>family }}</text>'),
    "a value within a comment": front("<!-- {{ card.titel }} -->"),
    "a drawing in the corner of a page": game()
    | {
        "templates/beast.svg": '<svg width="210mm" height="297mm" viewBox="0 0 210 297">\n'
        '<rect width="63.5" height="88.9"/><text y="9">{{ card.family }} {{ card.weight }}</text></svg>\n'
    },
    "a name of Illustrator without its meaning": front('<g id="&ns_ai;"/>'),
    "braces that are printed": front(
        "<style>.a{fill:#000}</style><!-- <text>{a}</text> -->\n<text>{{ 1 }}}</text>\n"
        "<text>{ card.rarity } {T} <tspan>${card.name}</tspan></text>\n"
        "<text>{{ '{' }} {% raw %}{b}{% endraw %} {</text>"
    )
    | card(f"{DOG}, rarity: rare")
    | game(more="icons: {T: icons/t.svg}\n")
    | {"icons/t.svg": '<svg width="9" height="9"><rect width="9" height="9"/></svg>\n'},
    "a tab among fields": game(fields=f"\tspeed: number\n{FIELDS}", more="table: [name, weight]\n"),
    "a bad escape among fields": field('speed: {pattern: "[A-Z]\\d"}'),
    "card: one small card of two": card("kind: beast, faces: [{name: Dusk}]")
    | game(fields="  rules: text\n", kinds="  beast: {faces: 2}\n"),
    "card: a color by its value": card(f'{DOG}, rules: "[#ff0000: Run] and [Ember: hide] or [blue: swim]"')
    | game(f"{FIELDS}  rules: rich\n", "  beast: {}\n", "colors: {ember: '#b5432a'}\n"),
    "card: icons without quotes": card(f"{DOG}, cost: {{G}}")
    | game(f"{FIELDS}  cost: icons\n", "  beast: {}\n", "icons: {G: templates/back.svg}\n"),
    "card: a list of icons": card(f"{DOG}, cost: [2, G]")
    | game(f"{FIELDS}  cost: icons\n", "  beast: {}\n", "icons: {G: templates/back.svg}\n"),
    "card: no id follows": card(DOG) | more("id: '{{ \"★\" }}'"),
}
"""What people who make games may do wrong."""


def told_of(name: str) -> str:
    """Return what `kotc check` says of a set with a mistake, in the current folder."""
    return said_of(MISTAKES[name])


def said_of(mistake: Mapping[str, str]) -> str:
    """Return what `kotc check` says of a set with these files, in the current folder."""
    sound = {"cards.yaml": f"- {{{DOG}}}\n", **{name: FILES[name] for name in ("set.yaml", "templates/back.svg")}}
    usual = '<svg width="63.5" height="88.9"><text y="9">{{ card.family }} {{ card.weight }}</text></svg>\n'
    write_files(Path("pack"), {**sound, "templates/beast.svg": usual, **mistake})
    if "game.yaml" not in mistake:
        Path("pack/game.yaml").unlink(missing_ok=True)
    result = kotc("check", "pack")
    return result.output


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_these_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert told_of(name) == golden_words(GOLDEN)[name]


def test_a_fall_back_that_is_misspelt_is_shown_at_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack" / "fonts").mkdir(parents=True)
    shutil.copy(ROOT / "fonts" / "DejaVuSans.ttf", "pack/fonts/Body.ttf")
    assert (
        said_of(more("fonts: {body: {files: [fonts/Body.ttf], fallback: [DejaVuSans]}}"))
        == """\
pack/game.yaml:8:52: error: `fallback` of `body`: there is no font `DejaVuSans` [L007]
  8 | fonts: {body: {files: [fonts/Body.ttf], fallback: [DejaVuSans]}}
    |                                                    ^^^^^^^^^^
  hint: did you mean `DejaVu Sans`?
1 error
"""
    )


def test_icons_that_draw_something_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    icons = {
        "icons/t.svg": icon('<path d="M1 1h8" style="stroke:#000"/>'),
        "icons/u.svg": icon('<svg x="2" width="4" height="4"><circle r="4" opacity="0.5"/></svg>'),
        "icons/v.svg": icon('{% if value == "3" %}<text y="8">{{ value }}</text>{% endif %}'),
        "icons/w.svg": icon("{% include 'icons/t.svg' %}"),
        "icons/x.svg": icon('<circle cx="9" cy="9" r="4" fill="{{ color }}"/>'),
    }
    named = 'icons: {T: icons/t.svg, U: icons/u.svg, "#": icons/v.svg, W: icons/w.svg, X: icons/x.svg}'
    assert said_of({**more(named), **icons}) == "1 card checked: nothing to report\n"


def test_templates_that_ask_first_or_are_given_what_they_use_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asking = (
        "{% if card.zeal is defined %}{{ card.zeal }}{% endif %}{% if card.weight > 9000 %}{{ card.zest|default('') }}"
        "{{ glow|default('') }}{% endif %}{% if card.rarity != '' and card.kind == 'beast' %}"
        "{{ dot(card.faces) }}{% endif %}"
    )
    given = extending(
        "{% import 'm.svg' as m %}{% macro dot(x) %}<g/>{% endmacro %}{% set far = 9000 %}"
        "{% block corner %}{{ super() }}{% include 'part.svg' %}{{ m.disc() }}{% endblock %}"
        "{% block more %}{% endblock %}",
        "{% block corner %}{% if card.weight > far %}{{ self.more() }}{% endif %}{% endblock %}",
    )
    parts = {"templates/part.svg": asking, "templates/m.svg": "{% macro disc() %}<g/>{% endmacro %}"}
    assert said_of({**given, **parts}) == "1 card checked: nothing to report\n"


VARIABLE = Made("Body", axis=(300, 400, 900))
REMOVE = "remove one of the two, or get the file of the face that is meant"
AS_FALLBACK = "give it a role of its own; for what the other lacks, name that role as `fallback`"
OBLIQUE = (Made("Body", style="Oblique", italic=True), Made("Body Two", style="Italic", italic=True))


@pytest.mark.parametrize(
    ("first", "second", "said", "hint"),
    [
        (Made("Body"), Made("Body"), "weight 400, upright", REMOVE),
        (*OBLIQUE, "weight 400, italic", AS_FALLBACK),
        (VARIABLE, Made("Body", weight=700, style="Bold"), "weight 700, upright", REMOVE),
        (VARIABLE, VARIABLE, "weight 300 to 900, upright", REMOVE),
    ],
    ids=["copies", "families", "a variable one", "variable ones"],
)
def test_a_font_that_is_never_used_is_told_with_that_which_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: Made, second: Made, said: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_font(tmp_path / "pack/fonts/A.ttf", first)
    write_font(tmp_path / "pack/fonts/B.ttf", second)
    never = "the font `fonts/B.ttf` is never used"
    assert (
        said_of(more("fonts: {body: {files: [fonts/A.ttf, fonts/B.ttf]}}"))
        == f"""\
pack/game.yaml:8:37: warning: {never}: `fonts/A.ttf` is the same face of the role ({said}) [L011]
  8 | fonts: {{body: {{files: [fonts/A.ttf, fonts/B.ttf]}}}}
    |                                     ^^^^^^^^^^^
  hint: {hint}
1 card checked: 1 warning
"""
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Made("Body"), Made("Body", weight=700, style="Bold")),
        (Made("Body"), OBLIQUE[0]),
        (Made("Body"), VARIABLE),  # for 400 the first, for other weights the second
    ],
    ids=["bold", "italic", "a variable one behind a plain one"],
)
def test_fonts_that_each_have_a_use_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: Made, second: Made
) -> None:
    monkeypatch.chdir(tmp_path)
    write_font(tmp_path / "pack/fonts/A.ttf", first)
    write_font(tmp_path / "pack/fonts/B.ttf", second)
    said = said_of(more("fonts: {body: {files: [fonts/A.ttf, fonts/B.ttf]}}"))
    assert said == "1 card checked: nothing to report\n"


def test_every_mistake_is_an_error_with_a_place_and_a_next_step() -> None:
    assert list(golden_words(GOLDEN)) == list(MISTAKES)
    for name, words in golden_words(GOLDEN).items():
        assert re.search(r"^(pack/[\w./]+:\d+:\d+: )?(error|warning|cannot be judged): ", words, re.MULTILINE), name
        # Of a value of another type, the message says which is expected.
        assert "\n  hint: " in words or re.search(r": expected .* \[[CM]00[567]\]", words), name


if __name__ == "__main__":
    write_golden(GOLDEN, MISTAKES, told_of)
