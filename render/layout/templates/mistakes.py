"""What is wrong with a template, in the words of its author, with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from render.base.caches import cached
from render.base.findings import Diagnostic, Span, did_you_mean, listed, nearest_word, quoted
from render.base.limits import TEMPLATE_OUTPUT, TO_FILL_IN
from render.layout.templates.environment import FILTERS, TESTS
from render.layout.templates.filling import Stopped
from render.layout.templates.syntax import about, as_filter
from render.layout.templates.tally import Overspent
from render.source.nodes import span

_MAX_TEXT = 1 << 20  # characters of a template in which the line that ran is looked for


def shorten_words(words: str, most: int = 200) -> str:
    """Return a template's words, or the beginning of long ones, for a message."""
    return words if len(words) <= most else f"{words[:most]}…"


def stopped_finding(stopped: Stopped, name: str, file: Path, values: Mapping[str, object]) -> Diagnostic:
    """Return a finding that says why a template stopped, in the words of its author, and at which word of the line."""
    if stopped.kind in ("time", "memory", "skipped", "length"):
        return _too_much(stopped, name, file, values)
    line = place_that_ran(stopped.ran, file).excerpt
    card = values.get("card")
    keys = sorted(map(str, card)) if isinstance(card, Mapping) else []
    said, hint, word = why_template_stopped(reason_of_stop(stopped), line, keys)
    place = place_that_ran(stopped.ran, file, word)
    if word == "card" and "value" in values:
        hint = "an icon serves all cards: it sees `value`, `words` and `color` alone"
    before = place.excerpt[: place.column - 1]
    if before.rfind("<!--") > before.rfind("-->"):
        hint = "it runs within `<!-- -->`, too: remove it there, or make it a `{# #}`"
    return Diagnostic("T003", f"the template `{name_at(place, name, file)}` stopped: {said}", hint).at(place)


def _too_much(stopped: Stopped, name: str, file: Path, values: Mapping[str, object]) -> Diagnostic:
    """Return a finding that says what filling in a template takes too much of, and in which line if that is known."""
    card = values.get("card")
    called = card.get("id", card.get("name")) if isinstance(card, Mapping) else None
    of_card = f" for {quoted(str(called))}" if called else ""
    most = {
        "time": f"filling it in{of_card} takes more than {TO_FILL_IN.seconds:g} s of processor time",
        "memory": f"filling it in{of_card} takes more than {TO_FILL_IN.memory / 1e6:.0f} MB of memory",
        "length": f"{stopped.said} of {TEMPLATE_OUTPUT} of SVG{of_card}",
        "skipped": "after cards for which it took too much time or memory, it was not tried for others",
    }[stopped.kind]
    place = place_that_ran(stopped.ran, file)
    message = f"the template `{name_at(place, name, file)}` asks for too much: {most}"
    return Diagnostic("T010", message, _LESS).at(place)


_LESS = "draw less, or draw it as a picture"


def place_that_ran(ran: Iterable[tuple[str, int]], file: Path, word: str = "") -> Span:
    """Return the line of a template that ran last, or the word in it if it is there."""
    lines = [(Path(each), number) for each, number in ran if Path(each).suffix == file.suffix]
    if not lines:
        return Span(file=file)
    file, number = lines[-1]
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        changed = 0
    text = _text(file, changed).split("\n")
    if not 0 < number <= len(text):
        return Span(file=file, line=number, column=1, end_line=number, end_column=1)
    line = text[number - 1].rstrip()
    start, end = len(line) - len(line.lstrip()), len(line)
    named = [each.span() for each in re.finditer(rf"\b{re.escape(word)}\b", line)] if word else []
    if len(named) == 1:  # of several, nobody knows which
        ((start, end),) = named
    return Span(file=file, line=number, column=start + 1, end_line=number, end_column=end + 1, excerpt=line)


@cached(16)
def _text(file: Path, _changed_at: int) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace", newline=None) as stream:
            return stream.read(_MAX_TEXT)
    except OSError:
        return ""


def name_at(place: Span, name: str, file: Path) -> str:
    """Return what the template is called that is wrong at a place: one that others share is wrong once for all."""
    return name if place.file == file or not place.excerpt else place.file.stem


def reason_of_stop(stopped: Stopped) -> str:
    """Return why a template stopped, in words for an author."""
    if stopped.kind == "memory":
        return "it asks for more memory than there is"
    return shorten_words(stopped.said)


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


def overspent_finding(error: Overspent, name: str, file: Path) -> Diagnostic:
    """Return a finding that says what a face holds too much of."""
    return Diagnostic("T010", f"the template `{name}` asks for too much: {error}", _LESS).at(Span(file=file))


# --- why something stopped ---------------------------------------------------------------------------------------------


WhyStopped = tuple[str, str, str]
"""Why something stopped, a hint, and the word of the line in question; "" where there is none."""

_NO_ATTRIBUTE = re.compile(r"'(?P<type>[\w.]+) object' has no attribute '(?P<name>\w+)'")
_NO_MACRO = re.compile(r"the template '(?P<file>[^']+)' .* does not export the requested name '(?P<name>\w+)'")
_MACRO = "write the name as it stands behind `{% macro` in that template"
_NO_SUCH = re.compile(r"No (?P<what>filter|test) named '(?P<name>[\w.]+)'(?: found)?")
_NO_NAME = re.compile(r"'(?P<name>\w+)' is undefined")
_COMPARED = re.compile(r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'")
_NO_LIST = re.compile(r"'(?P<type>\w+)' object is not iterable")
_DIVIDED = re.compile(r"(?:division|modulo) by zero$")
_TYPES = {
    "int": "a number", "float": "a number", "str": "a text", "NoneType": "none", "bool": "a truth value",
    "list": "a list", "tuple": "a list", "dict": "a dictionary", "Markup": "a text", "RichText": "a rich text",
}  # fmt: skip
_WITH_NONE = re.compile(r"`(?P<sign>\S+)` cannot be used between (?:none and .*|.* and none)")


def why_template_stopped(said: str, line: str, keys: Collection[str]) -> WhyStopped:
    """Return why a template stopped in a line, of which Jinja2 says `said`; `keys` are what its card has."""
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
    words, hint = in_our_words(said), ""
    if _NO_LIST.fullmatch(said):
        hint = "print it whole, without `for`; only a field of the type `list` is a list"
    elif lacks_value(words):
        hint = "a card may lack the value: ask first, as in `{% if card.power is not none %}`"
    return words, hint, ""


def in_our_words(said: str) -> str:
    """Return Python's words about values that cannot be compared, or are no lists, as ours; others as they are."""
    compared, misused = _COMPARED.match(said), _NO_LIST.fullmatch(said)
    if misused:
        return f"{_TYPES.get(misused['type'], 'something else')} stands where a list is needed"
    if not compared:
        return "it divides by 0" if _DIVIDED.search(said) else said
    left, right = (_TYPES.get(compared[side], "something else") for side in ("left", "right"))
    return f"`{compared['sign']}` cannot be used between {left} and {right}"


def why_expression_stopped(said: str) -> WhyStopped:
    """Return why an expression stopped, of which Jinja2 says `said`."""
    member, name = _NO_ATTRIBUTE.fullmatch(said), _NO_NAME.fullmatch(said)
    if member:
        owner = _TYPES.get(member["type"].rpartition(".")[2], "it")
        return f"{owner} has no `{member['name']}`", as_filter(member["name"]), ""
    return in_backticks(said if name else in_our_words(said)), "", name["name"] if name else ""


def in_backticks(said: str) -> str:
    """Return words of Jinja2 or Python with backticks for their quotes; the apostrophe of `doesn't` stays one."""
    return re.sub(r"(?<!\w)'|'(?!\w)", "`", said)


def lacks_value(said: str) -> bool:
    """Whether an expression stopped since a value is none."""
    return _WITH_NONE.fullmatch(said) is not None
