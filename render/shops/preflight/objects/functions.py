"""Functions of a PDF (ISO 32000-1, 7.10): sampled, exponential, stitching and calculator ones, evaluated."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import product

from pikepdf import Object, Stream

from render.shops.preflight.objects.reading import (
    MAX_DEPTH,
    Effort,
    as_array,
    as_dictionary,
    as_integer,
    as_number,
    as_numbers,
    unpack_stream,
)

Function = Callable[[Sequence[float]], list[float]]

_MAX_SAMPLES = 1 << 22  # numbers in a table
_MAX_INPUTS = 4


class Unknown(ValueError):
    """A function that is damaged, or of a kind that is not evaluated here."""


def function(value: object, effort: Effort, depth: int = 0) -> Function:
    """Return a function, or several with one result each as one; Unknown if that is impossible."""
    if depth > MAX_DEPTH:
        raise Unknown
    several = as_array(value)
    if several:
        made = [function(each, effort, depth + 1) for each in several[:32]]
        return lambda inputs: [result for each in made for result in each(inputs)]
    said = as_dictionary(value)
    domain = as_numbers(said.get("/Domain"))
    if not domain or len(domain) % 2:
        raise Unknown
    # Types 0, 2, 3 and 4 (7.10.1); there is no type 1.
    kinds = {0: _sampled, 2: _exponential, 3: _stitched, 4: _calculated}
    kind = kinds.get(as_integer(said.get("/FunctionType"), -1))
    if kind is None:
        raise Unknown
    inner, bounds = kind(value, effort, depth), as_numbers(said.get("/Range"))

    def evaluated(inputs: Sequence[float]) -> list[float]:
        effort.step()
        return _clipped(inner(_clipped(inputs, domain)), bounds)

    return evaluated


def _clipped(values: Sequence[float], bounds: Sequence[float]) -> list[float]:
    if not bounds:
        return list(values)
    return [min(max(value, low), high) for value, low, high in zip(values, bounds[::2], bounds[1::2], strict=False)]


def _exponential(value: object, effort: Effort, depth: int) -> Function:
    said = as_dictionary(value)
    power = as_number(said.get("/N"), 1.0)
    first, last = as_numbers(said.get("/C0")) or [0.0], as_numbers(said.get("/C1")) or [1.0]

    def evaluated(inputs: Sequence[float]) -> list[float]:
        share = _power(inputs[0], power) if inputs else 0.0
        return [a + share * (b - a) for a, b in zip(first, last, strict=False)]

    return evaluated


def _power(base: float, exponent: float) -> float:
    try:
        made = base**exponent
    except (OverflowError, ZeroDivisionError):
        return 0.0
    return made if isinstance(made, float) and math.isfinite(made) else 0.0


def _stitched(value: object, effort: Effort, depth: int) -> Function:
    said = as_dictionary(value)
    parts = [function(each, effort, depth + 1) for each in as_array(said.get("/Functions"))[:256]]
    domain = as_numbers(said.get("/Domain"))
    edges = [domain[0], *as_numbers(said.get("/Bounds")), domain[1]]
    encode = as_numbers(said.get("/Encode"))
    if not parts or len(edges) != len(parts) + 1 or len(encode) != 2 * len(parts):
        raise Unknown

    def evaluated(inputs: Sequence[float]) -> list[float]:
        at = inputs[0] if inputs else 0.0
        # The last part also has the upper end of the domain (7.10.4).
        chosen = next((k for k in range(len(parts) - 1) if at < edges[k + 1]), len(parts) - 1)
        width = edges[chosen + 1] - edges[chosen]
        share = (at - edges[chosen]) / width if width else 0.0
        low, high = encode[2 * chosen : 2 * chosen + 2]
        return parts[chosen]([low + share * (high - low)])

    return evaluated


def _sampled(value: object, effort: Effort, depth: int) -> Function:
    if not isinstance(value, Stream):
        raise Unknown
    sizes = [as_integer(size) for size in as_array(value.get("/Size"))]
    domain, ranges = as_numbers(value.get("/Domain")), as_numbers(value.get("/Range"))
    bits, results = as_integer(value.get("/BitsPerSample")), len(ranges) // 2
    count = math.prod(sizes) * results
    # other sizes would need bits across bytes.
    if not 1 <= len(sizes) <= _MAX_INPUTS or min(sizes) < 1 or not 0 < count <= _MAX_SAMPLES or bits not in (8, 16):
        raise Unknown
    data, step = unpack_stream(value, effort), bits // 8
    if len(data) < count * step or len(domain) != 2 * len(sizes):
        raise Unknown
    # The defaults of Encode and Decode (table 39).
    encode = as_numbers(value.get("/Encode")) or [bound for size in sizes for bound in (0.0, size - 1.0)]
    decode = as_numbers(value.get("/Decode")) or ranges
    if len(encode) != 2 * len(sizes) or len(decode) != len(ranges):
        raise Unknown
    scale = float((1 << bits) - 1)

    def sample(index: int, result: int) -> float:
        at = (index * results + result) * step  # all results of one sample stand together
        share = int.from_bytes(data[at : at + step]) / scale
        return decode[2 * result] + share * (decode[2 * result + 1] - decode[2 * result])

    def evaluated(inputs: Sequence[float]) -> list[float]:
        corners = []
        for k, size in enumerate(sizes):
            width = domain[2 * k + 1] - domain[2 * k]
            share = (inputs[k] - domain[2 * k]) / width if width and k < len(inputs) else 0.0
            place = min(max(encode[2 * k] + share * (encode[2 * k + 1] - encode[2 * k]), 0.0), size - 1.0)
            low = min(int(place), max(size - 2, 0))  # linear interpolation between the two neighbors in each dimension
            corners.append(((low, 1 - (place - low)), (min(low + 1, size - 1), place - low)))
        made = [0.0] * results
        for chosen in product(*corners):
            weight = math.prod(share for _, share in chosen)
            if weight:
                # The first dimension varies fastest (7.10.2).
                index = sum(at * math.prod(sizes[:k]) for k, (at, _) in enumerate(chosen))
                made = [sum_ + weight * sample(index, result) for result, sum_ in enumerate(made)]
        return made

    return evaluated


# --- calculator functions: a small language with a stack (7.10.5) ---------------------------------------------------

_WORD = re.compile(rb"[{}]|[^\s{}]+")
_MAX_WORDS = 2000
_DEEP_STACK = 100  # values; as many as readers must support (7.10.5)


def _calculated(value: object, effort: Effort, depth: int) -> Function:
    if not isinstance(value, Stream):
        raise Unknown
    words = _WORD.findall(unpack_stream(value, effort))
    if not words or words[0] != b"{" or len(words) > _MAX_WORDS:
        raise Unknown
    program, end = _block(words, 1, 0)
    if end != len(words):
        raise Unknown

    def evaluated(inputs: Sequence[float]) -> list[float]:
        stack = list(inputs)
        try:
            _run(program, stack, effort)
        except (IndexError, OverflowError, ZeroDivisionError, ValueError, TypeError):
            raise Unknown from None
        return [float(each) for each in stack]

    return evaluated


Program = list["float | str | Program"]


def _block(words: Sequence[bytes], at: int, depth: int) -> tuple[Program, int]:
    program: Program = []
    if depth > MAX_DEPTH:
        raise Unknown
    while at < len(words):
        said, at = words[at], at + 1
        if said == b"{":
            inner, at = _block(words, at, depth + 1)
            program.append(inner)
        elif said == b"}":
            return program, at
        else:
            try:
                program.append(float(said))
            except ValueError:
                program.append(said.decode("latin-1"))
    raise Unknown


_BINARY: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "idiv": lambda a, b: float(int(a / b)),
    "mod": math.fmod,
    "exp": _power,
    "atan": lambda a, b: math.degrees(math.atan2(a, b)) % 360,  # degrees from 0 to 360, as in PostScript
    "eq": lambda a, b: float(a == b),
    "ne": lambda a, b: float(a != b),
    "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b),
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "and": lambda a, b: float(int(a) & int(b)),
    "or": lambda a, b: float(int(a) | int(b)),
    "xor": lambda a, b: float(int(a) ^ int(b)),
}
_UNARY: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "neg": lambda a: -a,
    "ceiling": lambda a: float(math.ceil(a)),
    "floor": lambda a: float(math.floor(a)),
    "round": lambda a: float(math.floor(a + 0.5)),  # halves go up, unlike Python's round
    "truncate": lambda a: float(int(a)),
    "cvi": lambda a: float(int(a)),
    "cvr": lambda a: a,
    "sqrt": math.sqrt,
    "sin": lambda a: math.sin(math.radians(a)),
    "cos": lambda a: math.cos(math.radians(a)),
    "ln": math.log,
    "log": math.log10,
    "not": lambda a: float(not a),
}


def _run(program: Program, stack: list[float], effort: Effort) -> None:
    waiting: list[Program] = []
    for step in program:  # blocks wait for the `if` or `ifelse` behind them
        effort.step()
        if isinstance(step, float):
            stack.append(step)
        elif isinstance(step, list):
            waiting.append(step)
        elif step in _BINARY:
            second, first = stack.pop(), stack.pop()
            stack.append(_BINARY[step](first, second))
        elif step in _UNARY:
            stack.append(_UNARY[step](stack.pop()))
        elif step == "if":
            chosen = waiting.pop()
            if stack.pop():
                _run(chosen, stack, effort)
        elif step == "ifelse":
            otherwise, chosen = waiting.pop(), waiting.pop()
            _run(chosen if stack.pop() else otherwise, stack, effort)
        else:
            _move(step, stack)
        if len(stack) > _DEEP_STACK:
            raise Unknown


def _move(step: str, stack: list[float]) -> None:
    match step:
        case "pop":
            stack.pop()
        case "dup":
            stack.append(stack[-1])
        case "exch":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        case "true" | "false":
            stack.append(float(step == "true"))
        case "copy":
            count = int(stack.pop())
            stack.extend(stack[len(stack) - count :] if count else [])
        case "index":
            stack.append(stack[-1 - int(stack.pop())])
        case "roll":  # n j roll: turn the top n values j times upwards
            turns, count = int(stack.pop()), int(stack.pop())
            if not 0 < count <= len(stack):
                raise Unknown
            rolled = stack[-count:]
            turns %= count
            stack[-count:] = rolled[-turns:] + rolled[:-turns] if turns else rolled
        case _:
            raise Unknown


def samples(value: object, effort: Effort, inputs: int) -> list[list[float]]:
    """Return results over all of a function's domain, with the points where extremes are most likely."""
    evaluated = function(value, effort)
    first = as_array(value)[0] if as_array(value) else value
    domain = as_numbers(as_dictionary(first).get("/Domain")) or [0.0, 1.0] * inputs
    steps = {1: 129, 2: 17, 3: 7, 4: 5}.get(inputs, 2)  # steps in each dimension, so that 4 inputs take 625 evaluations
    axes = [
        {low + (high - low) * k / (steps - 1) for k in range(steps)} | _edges(first)
        for low, high in zip(domain[::2], domain[1::2], strict=False)
    ][:inputs]
    return [evaluated(place) for place in product(*axes)]


def _edges(value: Object | object) -> set[float]:
    """Return where the parts of a stitching function meet."""
    return set(as_numbers(as_dictionary(value).get("/Bounds"))[:256])
