"""Fill in templates in a worker of the guard: texts and values come in, SVG or the reason why there is none goes out.

A worker sees no file. It keeps the texts that it was sent by their digests, and asks for the templates that it lacks.
"""

from __future__ import annotations

import signal
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import jinja2
from markupsafe import Markup

from render.base.caches import cached, stored
from render.base.limits import TEMPLATE_OUTPUT
from render.layout.templates.environment import Elements, Lines, Sandbox

# Whatever a template does wrong, it ends in one of these; in a worker also in OutOfTime or MemoryError.
STOPS = (
    jinja2.TemplateError,
    ArithmeticError,
    AssertionError,  # of a Jinja2 filter that is given a nonsensical length
    AttributeError,
    LookupError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""The exceptions that a template can cause, however wrong it is."""


class Stopped(Exception):
    """Why a template gave nothing: what Jinja2 or Python says, and the files and lines that ran, the last one last.

    `kind` is `syntax`, `lost` (a template is not there; `said` is its name), `circle`, `time`, `memory`, `skipped`
    (either of the two, for cards before), `length` (its SVG is too long) or `value`.
    """

    def __init__(self, kind: str, said: str, ran: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(kind, said, ran)
        self.kind, self.said, self.ran = kind, said, ran


class OutOfTime(BaseException):
    """The time of a request is nearly over: raised within what runs, so that its place is known."""


@contextmanager
def telling_time(seconds: float) -> Iterator[None]:
    """Raise OutOfTime a little before the seconds of processor time are over that a request may take, if possible."""
    if sys.platform == "win32":
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTime

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.8 * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


# --- in the worker ----------------------------------------------------------------------------------------------------

_TEXTS: OrderedDict[str, str] = stored(OrderedDict())
_MAX_TEXTS = 256


class _Needed(Exception):
    """A template that was not sent, or whose text is no longer known."""


@cached(8)
def _sandbox(sources: tuple[tuple[str, tuple[str, str] | None], ...]) -> Sandbox:
    """Return where the templates run that were sent: name, and digest and file if there is one of the name."""
    known = dict(sources)

    def load(name: str) -> tuple[str, str, None] | None:
        source = known.get(name, ("", ""))
        if source and source[0] not in _TEXTS:
            raise _Needed(name)
        return (_TEXTS[source[0]], source[1], None) if source else None

    return Sandbox(jinja2.FunctionLoader(load))


def fill_in(
    sources: Mapping[str, Sequence[str] | None],
    texts: Mapping[str, str],
    faces: Sequence[tuple[str, Any]],
    seconds: float,
) -> tuple[list[Any] | None, object]:
    """Return the SVG of each face up to one that took too much, or why it stopped, and what each template asked for.

    A face is a template's name, and values. If a template is needed that was not sent, None and its name are returned.
    """
    while len(_TEXTS) > _MAX_TEXTS:
        _TEXTS.popitem(last=False)
    _TEXTS.update(texts)
    sandbox = _sandbox(tuple((each, (source[0], source[1]) if source else None) for each, source in sources.items()))
    given = list[Any]()
    try:
        with telling_time(seconds):
            for name, values in faces:
                given.append(_given(sandbox, name, values))
    except _Needed as needed:
        return None, str(needed)
    except (OutOfTime, MemoryError) as error:
        given.append(why_stopped(error).args)
    return given, {asking: sorted(names) for asking, names in sandbox.asked_for.items()}


def _given(sandbox: Sandbox, name: str, values: Any) -> bytes | tuple[Any, ...]:
    try:
        svg = sandbox.render(name, decoded(values))
    except STOPS as error:
        return why_stopped(error).args
    if len(svg) > TEMPLATE_OUTPUT.most:
        return Stopped("length", f"{len(svg):,}").args
    return svg.encode("utf-8", "surrogatepass")


def why_stopped(error: BaseException) -> Stopped:
    """Return why a template stopped."""
    ran = [*_lines_that_ran(error.__traceback__)]
    match error:
        case jinja2.TemplateSyntaxError():
            return Stopped("syntax", error.message or "", [(error.filename or error.name or "", error.lineno)])
        case jinja2.TemplateNotFound():
            return Stopped("lost", str(error.name), ran)
        case RecursionError():
            return Stopped("circle", "it includes, extends, calls or nests itself without end", ran)
        case OutOfTime() | MemoryError():
            return Stopped("time" if isinstance(error, OutOfTime) else "memory", "", ran)
        case _:
            return Stopped("value", " ".join(str(error).split()) or type(error).__name__, ran)


def _lines_that_ran(at: TracebackType | None) -> Iterator[tuple[str, int]]:
    while at is not None:
        template = at.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and at.tb_frame.f_code.co_filename == template.filename:
            yield template.filename, template.get_corresponding_lineno(at.tb_lineno)
        at = at.tb_next


# --- values -----------------------------------------------------------------------------------------------------------


class _SentElements(Elements):
    """Elements as a worker has them."""

    __slots__ = ("_html", "_is_some", "plain")

    def __init__(self, html: str, plain: str, is_some: bool) -> None:
        self._html, self.plain, self._is_some = html, plain, is_some

    def __bool__(self) -> bool:
        return self._is_some

    def __html__(self) -> str:
        return self._html


_PLAIN = frozenset((str, int, float, bool, type(None)))


def encoded(value: Any) -> Any:
    """Return a value of a card as it is sent: what JSON tells apart as it is, all else with its type."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [encoded(each) for each in value]
    if isinstance(value, tuple):
        return {"tuple": [encoded(each) for each in value]}
    if isinstance(value, Mapping):
        if all(type(key) is str for key in value):
            return {"dict": {key: each if type(each) in _PLAIN else encoded(each) for key, each in value.items()}}
        return {"pairs": [(encoded(key), encoded(each)) for key, each in value.items()]}
    if isinstance(value, Elements):
        return {"elements": [value.__html__(), str(value), bool(value)]}
    if isinstance(value, Lines | Markup):
        return {"lines" if isinstance(value, Lines) else "markup": str(value)}
    if isinstance(value, str | int | float):
        return next(base(value) for base in (str, int, float) if isinstance(value, base))
    raise TypeError(f"templates have no values such as {kind.__name__}")


def decoded(sent: Any) -> Any:
    """Return a value that was sent."""
    if isinstance(sent, list):
        return [decoded(each) for each in sent]
    if not isinstance(sent, dict):
        return sent
    ((kind, value),) = sent.items()
    return _DECODERS[kind](value)


_DECODERS: Mapping[str, Callable[[Any], Any]] = {
    "tuple": lambda values: tuple(map(decoded, values)),
    "dict": lambda values: {key: each if type(each) in _PLAIN else decoded(each) for key, each in values.items()},
    "pairs": lambda pairs: {decoded(key): decoded(each) for key, each in pairs},
    "elements": lambda elements: _SentElements(*elements),
    "lines": Lines,
    "markup": Markup,
}
