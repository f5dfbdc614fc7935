"""What is wrong with a template, in the words of its author, with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jinja2

from render.base.findings import Finding, Problem, Span, nearest_word, quoted, reason
from render.layout.templates.engine.budget import Overspent
from render.layout.templates.engine.offered import FILTERS
from render.layout.templates.mistakes.places import place_that_ran, span_of

# Whatever a template does wrong, it ends in one of these.
STOPS = (
    jinja2.TemplateError,
    ArithmeticError,
    AssertionError,  # of a Jinja2 filter that is given a nonsensical length
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""The exceptions that a template can cause, however wrong it is."""


def shorten_words(words: str, most: int = 200) -> str:
    """Return a template's words, or the beginning of long ones, for a message."""
    return words if len(words) <= most else f"{words[:most]}…"


def stopped_finding(error: BaseException, name: str, file: Path, values: Mapping[str, object]) -> Finding:
    """Return a finding that says why a template stopped, in the words of its author, and at which word of the line."""
    from render.layout.templates.mistakes.stopping import why_template_stopped

    line = place_that_ran(error, file).excerpt
    why = why_template_stopped(reason_of_stop(error), line, _card_keys(values), FILTERS)
    place = place_that_ran(error, file, why.word)
    if why.word == "card" and "value" in values:
        why = why._replace(hint="an icon serves all cards: it sees `value`, `words` and `color` alone")
    before = place.excerpt[: place.column - 1]
    if before.rfind("<!--") > before.rfind("-->"):
        why = why._replace(hint="it runs within `<!-- -->`, too: remove it there, or make it a `{# #}`")
    return Problem("T003", f"the template `{name_at(place, name, file)}` stopped: {why.said}", why.hint).at(place)


def name_at(place: Span, name: str, file: Path) -> str:
    """Return what the template is called that is wrong at a place: one that others share is wrong once for all."""
    return name if place.file == file or not place.excerpt else place.file.stem


def _card_keys(values: Mapping[str, object]) -> list[str]:
    card = values.get("card")
    return sorted(map(str, card)) if isinstance(card, Mapping) else []


def reason_of_stop(error: BaseException) -> str:
    """Return what an exception of `STOPS` says, in words for an author."""
    if isinstance(error, RecursionError):
        return "it includes, extends, calls or nests itself without end"
    if isinstance(error, MemoryError):
        return "it asks for more memory than there is"
    return shorten_words(reason(error))


def syntax_mistake(error: jinja2.TemplateSyntaxError, environment: jinja2.Environment) -> Finding:
    """Return a finding about Jinja2 that cannot be read, at its very sign if that is known."""
    from render.layout.templates.mistakes.jinja_syntax import read_again

    source, said = error.source or "", error.message or ""
    file = Path(error.filename or error.name or "")
    found = read_again(environment, source, said, FILTERS)
    if found:
        span = span_of(file, re.sub("\r\n?", "\n", source), found.start, found.end)
    else:
        line = source.split("\n")[error.lineno - 1] if source else ""
        number, end = error.lineno, len(line) + 1
        span = Span(file=file, line=number, column=1, end_line=number, end_column=end, excerpt=line)
    message = f"the template `{file.stem}` is not valid Jinja2: {found.said if found else said.rstrip('.')}"
    hint, instead = (found.hint, found.instead) if found else ("", "")
    return Problem("T002", message, hint, instead=instead).at(span)


def lost_template(environment: jinja2.Environment, name: str, file: Path, text: str) -> Finding:
    """Return a finding that there is no template of a name, at the name in the template that asks for it."""
    known = (each.removesuffix(".svg") for each in environment.list_templates(extensions=["svg"]))
    stem = nearest_word(name.removesuffix(".svg"), [*known])
    near = f"{stem}.svg" if stem else ""
    looked = "`extends`, `include` and `import` look in the set's folder, then among the built-in templates"
    problem = Problem("T001", f"there is no template {quoted(name)}", f"did you mean `{near}`?" if near else looked)
    found = re.search(rf"[\"']({re.escape(name)})[\"']", text)
    if not found:
        return problem.at(Span(file=file))
    return replace(problem, instead=near).at(span_of(file, text, *found.span(1)))


def overspent_finding(error: Overspent, name: str, file: Path) -> Finding:
    """Return a finding that says what a template spent too much of, and in which line."""
    place = place_that_ran(error, file)
    message = f"the template `{name_at(place, name, file)}` asks for too much: {error}"
    return Problem("T010", message, "draw less, or draw it as a picture").at(place)
