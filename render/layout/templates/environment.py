"""Where templates and expressions run: Jinja2's sandbox, with what it offers.

What is not listed does not exist for a template: filters, tests, functions, methods. Everything listed gives the same
for the same card, in every run and on every machine. Nothing is counted: what a set brings runs under the guard.
"""

from __future__ import annotations

import hashlib
import io
import marshal
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, MappingView
from contextlib import suppress
from functools import wraps
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2 import filters, nodes, tests
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.filters import do_join, make_attrgetter
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, markup_join, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from render.base.caches import BoundedCache, stored
from render.base.files import replace_file
from render.base.limits import TEMPLATE_RANGE
from render.base.patterns import regex
from render.base.reach import read_bounded
from render.base.resources import TEMPLATES, is_ours

# Jinja2's own, without `random`, which differs from run to run, without `attr`, which asks for members by name, and
# without those for web pages.
FILTERS = frozenset(
    "abs batch capitalize center count d default dictsort e escape first float forceescape format groupby indent int"
    " items join last length list lower map max min reject rejectattr replace reverse round safe select selectattr"
    " slice sort string sum title trim truncate unique upper wordcount".split()
)
TESTS = frozenset(
    "!= < <= == > >= boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt"
    " in integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string test true undefined"
    " upper".split()
)
_OF_A_TEXT = frozenset(
    "capitalize center e escape forceescape indent lower replace string title trim truncate upper wordcount".split()
)
"""The filters whose subject is a text; of `none` they take the empty text."""

_OF_TEXTS = frozenset(
    "capitalize casefold center count endswith find format format_map index isalnum isalpha isascii isdecimal isdigit"
    " islower isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace"
    " rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill".split()
)

ENDLESS = 10**30  # a number that is larger is none of a card
TOO_DEEP = "expressions and tags are nested too deep"

OPTIONS: Mapping[str, Any] = {
    "autoescape": True,
    "undefined": jinja2.StrictUndefined,  # a misspelled name is an error, and no empty text
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "auto_reload": False,  # a template's file is not looked at again for each face
    "cache_size": -1,  # without limit: no template is compiled twice
}
"""How templates are read; compiled code depends on it."""


# --- values -----------------------------------------------------------------------------------------------------------


class Elements:
    """A value that is printed as elements of SVG, by `__html__`: it escapes all words in it."""

    __slots__ = ()
    OFFERED = frozenset({"plain"})
    """What a template may ask of it."""

    plain: str

    def __len__(self) -> int:
        return len(self.plain)

    def __str__(self) -> str:
        return self.plain

    def __html__(self) -> str:
        raise NotImplementedError


class Lines(str):
    """A text of several lines, to templates a text like any other. It is printed with its line breaks.

    An empty line begins a paragraph. What a filter makes of such a text is a usual text.
    """

    __slots__ = ()

    def __html__(self) -> str:
        paragraphs = [str(escape(part)).replace("\n", "<br/>") for part in _EMPTY_LINES.split(self.strip("\n"))]
        if len(paragraphs) == 1:
            return paragraphs[0]
        return "".join(f'<tspan display="block">{each}</tspan>' for each in paragraphs)


_EMPTY_LINES = regex(r"\n(?:[^\S\n]*\n)+")

_DICT = frozenset(dir(dict))
_CALLED: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (str, "a text"), (bool, "a truth value"), ((int, float), "a number"), (type(None), "none"),
    ((list, MappingView), "a list"), (tuple, "a tuple"), (dict, "a dictionary"), (range, "a range"),
    (Elements, "a rich text"),
)  # fmt: skip


def _type_name(value: object) -> str:
    """Return what a value is, for a message."""
    for kinds, name in _CALLED:
        if isinstance(value, kinds):
            return name
    return "a function" if callable(value) else "something else"


class _Function:
    """A function of a template: it can be called but not printed, since its address would differ from run to run."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[..., Any]) -> None:
        self.name, self.run = name, run

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)

    def __repr__(self) -> str:
        raise SecurityError(f"`{self.name}` is a function, and cannot be printed; call it: `{self.name}()`")

    @property
    def super(self) -> Any:
        """What draws the block that is two above."""
        return self.run.super if isinstance(self.run, BlockReference) else None


MEMBERS: Mapping[type, frozenset[str]] = {
    **dict.fromkeys((str, Markup, Lines), _OF_TEXTS),
    **dict.fromkeys((list, tuple), frozenset(("count", "index"))),
    dict: frozenset("copy get items keys values".split()),
    float: frozenset(("is_integer",)),
    LoopContext: frozenset(
        "changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0".split()
    ),
    _Function: frozenset(("super",)),
    Macro: frozenset("name arguments catch_kwargs catch_varargs caller".split()),
}
"""What a template may ask of a value, by the value's type."""
_OPEN = (Namespace, TemplateModule, TemplateReference, jinja2.Undefined)
"""Values that may be asked for whatever a template itself put into them."""


class _Names(Namespace):
    """A namespace, which cannot be printed: it may hold itself."""

    def __repr__(self) -> str:
        raise SecurityError("a namespace cannot be printed, only what it holds")


class _BlockContext(Context):
    """The names that a template knows. A block that it asks for is a function."""

    def super(self, name: str, current: Any) -> Any:
        """Return what draws the block that this one overrides."""
        return _block("super", super().super(name, current))


def _block(name: str, found: Any) -> Any:
    return _Function(name, found) if isinstance(found, BlockReference) else found


def _range(*args: int) -> range:
    found = range(*args)
    if len(found) > TEMPLATE_RANGE.most:
        raise ValueError(f"a range has at most {TEMPLATE_RANGE}, not {len(found):,}")
    return found


def _told(values: Iterable[object]) -> list[object]:
    """Return values that become one text: `none` is the empty text, as where it is printed."""
    return ["" if value is None else value for value in values]


@jinja2.pass_eval_context
def _join(context: nodes.EvalContext, values: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Any:
    """Return values as one text with `d` between them: Jinja2's own filter, but for `none`."""
    if attribute is not None:
        values = map(make_attrgetter(context.environment, attribute), values)
    return do_join(context, _told(values), d)


def _is_same(value: object, other: object) -> bool:
    """Return whether two values are equal and of one type; which values are one object depends on Python."""
    return type(value) is type(other) and value == other


def _check_printable(value: Any) -> Any:
    """Return a value as it is printed on a card, `none` as the empty text; SecurityError for what may not be."""
    if value is None:
        return ""
    if isinstance(value, (str, int, float, jinja2.Undefined, Elements)):
        return value
    if isinstance(value, _Function | _Names):
        repr(value)
    raise SecurityError(f"{_type_name(value)} cannot be printed, only texts and numbers")


def _usual(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter or test as templates have it: of `none` it takes the empty text, and it gives whole lists."""
    # Some filters get the environment or context before the value.
    first = 1 if getattr(run, "jinja_pass_arg", None) is not None else 0
    of_a_text = name in _OF_A_TEXT

    @wraps(run)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if of_a_text and args[first] is None:
            args = (*args[:first], "", *args[first + 1 :])
        value = run(*args, **kwargs)
        return list(value) if hasattr(value, "__next__") else value

    return guarded


_ALL_FILTERS: Mapping[str, Callable[..., Any]] = {**filters.FILTERS, "join": _join}
_ALL_TESTS: Mapping[str, Any] = {**tests.TESTS, "sameas": _is_same}
_FILTERS = {name: _usual(name, run) for name, run in _ALL_FILTERS.items() if name in FILTERS}
_TESTS = {name: _usual(name, run) for name, run in _ALL_TESTS.items() if name in TESTS}


# --- the sandbox ------------------------------------------------------------------------------------------------------


class Sandbox(ImmutableSandboxedEnvironment):
    """Where templates run. `asked_for` are the templates that each one has included, extended or imported so far."""

    context_class = _BlockContext
    # Jinja2 compiles these operators into calls of `call_binop`, and works out none of their constants itself.
    intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

    def __init__(self, loader: jinja2.BaseLoader | None = None, **options: Any) -> None:
        super().__init__(**{**OPTIONS, **options}, loader=loader, bytecode_cache=CompiledCode())
        self.asked_for: dict[str, set[str]] = {}
        self.finalize = _check_printable
        self._keeps_state = False
        self.filters, self.tests = dict(_FILTERS), dict(_TESTS)
        functions: Mapping[str, Callable[..., Any]] = {"range": _range, "dict": dict, "namespace": self._namespace}
        self.globals = {name: _Function(name, run) for name, run in functions.items()}

    def render(self, name: str, values: Mapping[str, object]) -> str:
        """Return what a template gives for the values of one face."""
        if self._keeps_state:
            self._keeps_state = False
            for template in (self.cache or {}).values():
                # Jinja2 keeps what `import` gave, and with it the namespaces that the last face filled.
                template._module = None
        template = self.get_template(name)
        return self.concat(template.root_render_func(template.new_context(dict(values))))

    def _namespace(self, *args: Any, **kwargs: Any) -> _Names:
        self._keeps_state = True
        return _Names(*args, **kwargs)

    def join_path(self, template: str, parent: str) -> str:
        """Return the name of a template that another one asks for, and note it."""
        self.asked_for.setdefault(parent, set()).add(template)
        return super().join_path(template, parent)

    # --- compiling -----

    def _generate(self, source: nodes.Template, name: Any, filename: str | None, defer_init: bool = False) -> str:
        if is_ours(filename):
            return super()._generate(source, name, filename, defer_init)
        code = _StrictCode(self, name, filename, io.StringIO(), defer_init, optimized=False)
        code.visit(source)
        return cast("io.StringIO", code.stream).getvalue()

    def compile(self, source: Any, name: Any = None, filename: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Compile a template; those of the program itself are trusted, and may be worked out on the way."""
        if is_ours(filename):
            self.intercepted_binops, self.finalize = frozenset(), None
        try:
            with warnings.catch_warnings():
                # What Python doubts, such as `1.5[0]`, it tells programmers; when that runs, it stops with our words.
                warnings.simplefilter("ignore", SyntaxWarning)
                return super().compile(source, name, filename, *args, **kwargs)
        except (SyntaxError, RecursionError):  # Python allows 20 nested blocks
            raise jinja2.TemplateSyntaxError(TOO_DEEP, 1, name, filename) from None
        finally:
            self.intercepted_binops, self.finalize = Sandbox.intercepted_binops, _check_printable

    # --- running -----

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`. The contents of a dictionary are allowed; its methods come first, as in Jinja2."""
        if type(obj) is dict and attribute in obj and attribute not in _DICT:
            return obj[attribute]
        value = super().getattr(obj, attribute)
        is_method = callable(value) and attribute in MEMBERS.get(type(obj), ())
        return _Function(attribute, value) if is_method else _block(attribute, value)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`."""
        try:
            return _block(argument, obj[argument])
        except (TypeError, LookupError):
            return self.getattr(obj, argument) if isinstance(argument, str) else self.undefined(obj=obj, name=argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may ask a value for this."""
        if isinstance(obj, _OPEN):
            return super().is_safe_attribute(obj, attr, value)
        return attr in MEMBERS.get(type(obj), Elements.OFFERED if isinstance(obj, Elements) else ())

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the result of a function, method, macro or loop."""
        if not isinstance(obj, _Function | Macro | LoopContext | jinja2.Undefined):
            raise SecurityError(f"{_type_name(obj)} cannot be called")
        return context.call(obj, *args, **kwargs)

    def join_texts(self, context: Context, values: list[Any]) -> str:
        """Return what `~` gives."""
        return (markup_join if context.eval_ctx.autoescape else str_join)(_told(values))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator on two values; TypeError for what it must not be used for."""
        fits = (
            (isinstance(left, int | float) and isinstance(right, int | float))
            or (operator == "%" and isinstance(left, str))
            or (operator == "+" and isinstance(left, str | list | tuple))
            or (operator == "*" and isinstance(left, int) and isinstance(right, str | list | tuple))
            or (operator == "*" and isinstance(right, int) and isinstance(left, str | list | tuple))
            or isinstance(left, jinja2.Undefined)  # its own error says more
            or isinstance(right, jinja2.Undefined)
        )
        if not fits:
            raise TypeError(f"`{operator}` cannot be used between {_type_name(left)} and {_type_name(right)}")
        return self.binop_table[operator](left, right)


class _StrictCode(CodeGenerator):
    """Code that works out nothing while it is compiled, and takes `none` for an empty text where texts are joined."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.join_texts(context, [")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write("])")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


# --- compiled code ----------------------------------------------------------------------------------------------------

_REVISION = 6  # of what is compiled: raise it with every change of `_StrictCode`, else old code is used
_SEAL = hashlib.sha256().digest_size
_LARGEST = 1 << 20  # bytes of one template's code

# By name, file and checksum of what the code is made of. A set has about ten templates.
_COMPILED = stored(BoundedCache[CodeType](128, lambda _: 1))


class CompiledCode(jinja2.BytecodeCache):
    """Keeps the code of templates in memory, and that of built-in ones on disk as well, where Python keeps its own.

    That is in `__pycache__`, or below `sys.pycache_prefix` (PEP 3147), and nowhere if Python writes no byte code.
    Whoever could put other code there could change the modules' own, so it adds no risk. On disk a seal precedes the
    code: the SHA-256 of the code and of all that it was made from. So garbage never runs, nor does code of another
    text, another Jinja2 or another Python. Whatever cannot be read or written is compiled again.
    """

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the template's name and its file."""
        return f"{name}\0{filename or ''}"

    def get_source_checksum(self, source: str) -> str:
        """Return the digest of all that the code of a template is made from."""
        made_from = (source, _REVISION, repr(OPTIONS), str(TEMPLATES), MAGIC_NUMBER, jinja2.__version__)
        return hashlib.sha256(repr(made_from).encode("utf-8", "surrogatepass")).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fetch the code if it was made from the same text and settings."""
        bucket.code = _COMPILED.find((bucket.key, bucket.checksum))
        if bucket.code is None and (file := _file_for(bucket)):
            content = read_bounded(file, _LARGEST) or b""
            if content[:_SEAL] == _seal(bucket, content[_SEAL:]):  # marshal trusts its input
                with suppress(EOFError, ValueError, TypeError):
                    bucket.code = _COMPILED.put((bucket.key, bucket.checksum), marshal.loads(content[_SEAL:]))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code, on disk too if possible."""
        assert bucket.code is not None
        _COMPILED.put((bucket.key, bucket.checksum), bucket.code)
        if (file := _file_for(bucket)) and not sys.dont_write_bytecode:
            code = marshal.dumps(bucket.code)
            with suppress(OSError):
                replace_file(file, _seal(bucket, code) + code)


def _file_for(bucket: Bucket) -> Path | None:
    """Return the file for the code of a built-in template, if there is a place for it."""
    name, _, filename = bucket.key.partition("\0")
    if not is_ours(filename) or sys.implementation.cache_tag is None:
        return None
    module = Path(__file__).with_name(f"{name.replace('/', '.')}.py")
    return Path(cache_from_source(str(module))).with_suffix(".jinja2")


def _seal(bucket: Bucket, code: bytes) -> bytes:
    return hashlib.sha256(bucket.checksum.encode("ascii") + code).digest()
