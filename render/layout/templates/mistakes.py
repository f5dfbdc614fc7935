"""What is wrong with a template, in the words of its author, with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from render.base.findings import Diagnostic, Span, did_you_mean, listed, nearest_word, quoted
from render.base.limits import TEMPLATE_OUTPUT, TO_FILL_IN
from render.base.patterns import regex
from render.layout.templates.environment import FILTERS, TESTS
from render.layout.templates.filling import Stopped
from render.layout.templates.syntax import about, as_filter
from render.layout.templates.template import Template
from render.source.nodes import span


def shorten_words(words: str, most: int = 200) -> str:
    """Return a template's words, or the beginning of long ones, for a message."""
    return words if len(words) <= most else f"{words[:most]}…"


def stopped_finding(stopped: Stopped, template: Template, values: Mapping[str, object]) -> Diagnostic:
    """Return a finding that says why a template stopped, in the words of its author, and at which word of the line."""
    card, place = values.get("card"), place_that_ran(stopped.ran, template)
    match stopped.kind:
        case "syntax":
            message = f"the template `{name_at(place, template)}` is not valid Jinja2: {stopped.said}"
            return Diagnostic("T002", message).at(place)
        case "lost":
            return lost_template(template.templates.names(), stopped.said, *_asking_for(stopped.said, template))
        case "circle" if circle := _circle_of(template):
            return circle
        case "time" | "memory" | "skipped" | "length":
            called = card.get("id", card.get("name")) if isinstance(card, Mapping) else None
            of_card = f" for {quoted(str(called))}" if called else ""
            most = {
                "time": f"filling it in{of_card} takes more than {TO_FILL_IN.seconds:g} s of processor time",
                "memory": f"filling it in{of_card} takes more than {TO_FILL_IN.memory / 1e6:.0f} MB of memory",
                "length": f"{stopped.said} of {TEMPLATE_OUTPUT} of SVG{of_card}",
                "skipped": "after cards for which it took too much time or memory, it was not tried for others",
            }[stopped.kind]
            message = f"the template `{name_at(place, template)}` asks for too much: {most}"
            return Diagnostic("T010", message, ASK_FOR_LESS).at(place)
    keys = sorted(map(str, card)) if isinstance(card, Mapping) else []
    said, hint, word = _why_template_stopped(shorten_words(stopped.said), place.excerpt, keys)
    place = place_that_ran(stopped.ran, template, word)
    if word == "card" and "value" in values:
        hint = "an icon serves all cards: it sees `value`, `words` and `color` alone"
    before = place.excerpt[: place.column - 1]
    if before.rfind("<!--") > before.rfind("-->"):
        hint = "it runs within `<!-- -->`, too: remove it there, or make it a `{# #}`"
    return Diagnostic("T003", f"the template `{name_at(place, template)}` stopped: {said}", hint).at(place)


ASK_FOR_LESS = "draw less, or draw it as a picture"


def place_that_ran(ran: Iterable[tuple[str, int]], template: Template, word: str = "") -> Span:
    """Return the line of a template that ran last, or the word in it if it is there."""
    lines = [(file, number) for file, number in ran if file.endswith(template.file.suffix)]
    if not lines:
        return Span(file=template.file)
    file, number = lines[-1]
    texts = (source.text for source in template.templates.sources.values() if source.file == file)
    line = next((dict(enumerate(text.split("\n"), 1)).get(number, "") for text in texts), "").rstrip()
    start, end = len(line) - len(line.lstrip()), len(line)
    named = [each.span() for each in re.finditer(rf"\b{re.escape(word)}\b", line)] if word else []
    if len(named) == 1:  # of several, nobody knows which
        ((start, end),) = named
    return Span(file=Path(file), line=number, column=start + 1, end_line=number, end_column=end + 1, excerpt=line)


def name_at(place: Span, template: Template) -> str:
    """Return what the template is called that is wrong at a place: one that others share is wrong once for all."""
    return template.name if place.file == template.file or not place.excerpt else place.file.stem


def lost_template(known: Sequence[str], name: str, file: Path, text: str) -> Diagnostic:
    """Return a finding that there is no template of a name, at the name in the template that asks for it."""
    stem = nearest_word(name.removesuffix(".svg"), known)
    near = f"{stem}.svg" if stem else ""
    looked = "`extends`, `include` and `import` look in the set's folder, then among the built-in templates"
    problem = Diagnostic("T001", f"there is no template {quoted(name)}", f"did you mean `{near}`?" if near else looked)
    found = re.search(rf"[\"']({re.escape(name)})[\"']", text)
    if not found:
        return problem.at(Span(file=file))
    return replace(problem, instead=near).at(span(file, text, found.span(1)))


def _circle_of(template: Template) -> Diagnostic | None:
    """Return what is said of templates that ask for each other in a circle, the same for each of them; else None."""
    from graphlib import CycleError, TopologicalSorter

    asked_for = template.templates.asked_for
    asks = {
        each: sorted(asked_for.get(each, ())) for each in sorted(template.templates.reached(f"{template.name}.svg"))
    }
    try:
        TopologicalSorter(asks).prepare()
        return None
    except CycleError as error:
        circle = error.args[1][:0:-1]  # each asks for the next, and the last for the first
    first = circle.index(min(circle))
    circle = [*circle[first:], *circle[:first]]
    after = circle[1 % len(circle)]
    file, text = _asking_for(after, template, circle[0])
    named = re.search(rf"[\"']{re.escape(after)}[\"']", text)
    ways = ", which asks for ".join(f"`{name}`" for name in (*circle[1:], circle[0]))
    message = f"the template `{file.stem}` asks for itself without end: `{circle[0]}` asks for {ways}"
    hint = "let one of them not extend, include or import the next" if len(circle) > 1 else "name another template"
    place = span(file, text, named.span()) if named else Span(file=file)
    return Diagnostic("T003", message, hint).at(place)


def _asking_for(name: str, template: Template, first: str = "") -> tuple[Path, str]:
    """Return the file and text of a template that asks for another one: of those that this one has asked for so far.

    It is the `first`, if one is named.
    """
    templates = template.templates
    asking = [first] if first else [each for each, asked in templates.asked_for.items() if name in asked]
    source = next(filter(None, map(templates.sources.get, asking)), None)
    return (Path(source.file), source.text) if source else (template.file, "")


# --- why something stopped ---------------------------------------------------------------------------------------------


_NO_ATTRIBUTE = regex(r"'(?P<type>[\w.]+) object' has no attribute '(?P<name>\w+)'")
_NO_MACRO = regex(r"the template '(?P<file>[^']+)' .* does not export the requested name '(?P<name>\w+)'")
_MACRO = "write the name as it stands behind `{% macro` in that template"
_NO_SUCH = regex(r"No (?P<what>filter|test) named '(?P<name>[\w.]+)'(?: found)?")
_NO_NAME = regex(r"'(?P<name>\w+)' is undefined")
_COMPARED = regex(r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'")
_NO_LIST = regex(r"'(?P<type>\w+)' object is not iterable")
_DIVIDED = regex(r"(?:division|modulo) by zero$")
_TYPES = {
    "int": "a number", "float": "a number", "str": "a text", "NoneType": "none", "bool": "a truth value",
    "list": "a list", "tuple": "a list", "dict": "a dictionary", "Markup": "a text", "RichText": "a rich text",
}  # fmt: skip
_WITH_NONE = regex(r"`(?P<sign>\S+)` cannot be used between (?:none and .*|.* and none)")


def _why_template_stopped(said: str, line: str, keys: Collection[str]) -> tuple[str, str, str]:
    """Return why a template stopped in a line, a hint, and the word in question; "" where there is none.

    Jinja2 says `said` of it, and `keys` are what its card has.
    """
    attribute, name, unknown = _NO_ATTRIBUTE.search(said), _NO_NAME.fullmatch(said), _NO_SUCH.fullmatch(said)
    if lost := _NO_MACRO.search(said):
        return f"the template `{lost['file']}` has no macro `{lost['name']}`", _MACRO, lost["name"]
    if attribute and attribute["type"].endswith("TemplateModule"):
        return f"the imported template has no macro `{attribute['name']}`", _MACRO, attribute["name"]
    if attribute:
        word = attribute["name"]
        hint = did_you_mean(word, sorted(keys)) or (f"a card has {listed(sorted(keys), 'and')}" if keys else "")
        return f"nothing is called `{word}` here", hint, word
    if name:
        word = name["name"]
        if file := re.search(rf"\b(?:include|extends|import|from)\s+({word}[\w./-]*)", line):
            return f"the template `{file[1]}` stands without quotes", f'write `"{file[1]}"`', word
        near = nearest_word(word, sorted(keys))
        hint = as_filter(word) or (f"did you mean `card.{near}`?" if near else "")
        if word == "card":
            hint = "a back serves all cards: leave out what is of one, such as its name"
        return f"nothing is called `{word}` here", hint, word
    if unknown:
        what, word = unknown["what"], unknown["name"]
        return f"there is no {what} `{word}`", about(what, word, FILTERS if what == "filter" else TESTS)[0], word
    words, hint = _in_our_words(said), ""
    if _NO_LIST.fullmatch(said):
        hint = "print it whole, without `for`; only a field of the type `list` is a list"
    elif lacks_value(words):
        hint = "a card may lack the value: ask first, as in `{% if card.power is not none %}`"
    return words, hint, ""


def _in_our_words(said: str) -> str:
    """Return Python's words about values that cannot be compared, or are no lists, as ours; others as they are."""
    compared, misused = _COMPARED.match(said), _NO_LIST.fullmatch(said)
    if misused:
        return f"{_TYPES.get(misused['type'], 'something else')} stands where a list is needed"
    if not compared:
        return "it divides by 0" if _DIVIDED.search(said) else said
    left, right = (_TYPES.get(compared[side], "something else") for side in ("left", "right"))
    return f"`{compared['sign']}` cannot be used between {left} and {right}"


def why_expression_stopped(said: str) -> tuple[str, str, str]:
    """Return why an expression stopped, of which Jinja2 says `said`, a hint, and the word in question."""
    member, name = _NO_ATTRIBUTE.fullmatch(said), _NO_NAME.fullmatch(said)
    if member:
        owner = _TYPES.get(member["type"].rpartition(".")[2], "it")
        return f"{owner} has no `{member['name']}`", as_filter(member["name"]), ""
    # The apostrophe of `doesn't` is no quote.
    words = re.sub(r"(?<!\w)'|'(?!\w)", "`", said if name else _in_our_words(said))
    return words, "", name["name"] if name else ""


def lacks_value(said: str) -> bool:
    """Whether an expression stopped since a value is none."""
    return _WITH_NONE.fullmatch(said) is not None
