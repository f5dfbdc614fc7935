"""Functions of a PDF (ISO 32000-1, 7.10): sampled, exponential, stitching and calculator ones, evaluated."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from pikepdf import Stream

from render.base.patterns import regex
from render.pdf.reading.values import MAX_DEPTH, as_array, as_dictionary, as_integer, as_number, as_numbers

Function = Callable[[Sequence[float]], list[float]]

_STEPS = {1: 129, 2: 17, 3: 7, 4: 5}  # in each dimension, so that 4 inputs take 625 evaluations


class UnknownFunction(ValueError):
    """A function that is damaged, or of a kind that is not evaluated here."""


def sample_function(value: object, inputs: int) -> list[list[float]]:
    """Return results over all of a function's domain, with the points where extremes are most likely."""
    function = read_function(value)
    first = as_dictionary(next(iter(as_array(value)), value))
    domain = as_numbers(first.get("/Domain")) or [0.0, 1.0] * inputs
    edges = set(as_numbers(first.get("/Bounds")))  # where the parts of a stitching function meet
    steps = _STEPS.get(inputs, 2)
    axes = [
        {low + (high - low) * k / (steps - 1) for k in range(steps)} | edges
        for low, high in zip(domain[::2], domain[1::2], strict=False)
    ]
    return [function(place) for place in product(*axes[:inputs])]


def read_function(value: object, depth: int = 0) -> Function:
    """Return a function, or several with one result each as one; UnknownFunction if that is impossible."""
    if depth > MAX_DEPTH:
        raise UnknownFunction
    if several := as_array(value):
        parts = [read_function(part, depth + 1) for part in several]
        return lambda inputs: [result for part in parts for result in part(inputs)]
    entries = as_dictionary(value)
    domain, bounds = as_numbers(entries.get("/Domain")), as_numbers(entries.get("/Range"))
    # Types 0, 2, 3 and 4 (7.10.1); there is no type 1.
    kinds = {0: _read_samples, 2: _read_exponential, 3: _read_stitching, 4: _read_calculator}
    read = kinds.get(as_integer(entries.get("/FunctionType"), -1))
    if read is None or not domain or len(domain) % 2:
        raise UnknownFunction
    function = read(value, depth)

    def evaluate(inputs: Sequence[float]) -> list[float]:
        return _clip(function(_clip(inputs, domain)), bounds)

    return evaluate


def _clip(values: Sequence[float], bounds: Sequence[float]) -> list[float]:
    if not bounds:
        return list(values)
    return [min(max(value, low), high) for value, low, high in zip(values, bounds[::2], bounds[1::2], strict=False)]


def _read_exponential(value: object, depth: int) -> Function:
    entries = as_dictionary(value)
    power = as_number(entries.get("/N"), 1.0)
    first, last = as_numbers(entries.get("/C0")) or [0.0], as_numbers(entries.get("/C1")) or [1.0]

    def evaluate(inputs: Sequence[float]) -> list[float]:
        share = _power(inputs[0], power) if inputs else 0.0
        return [a + share * (b - a) for a, b in zip(first, last, strict=False)]

    return evaluate


def _power(base: float, exponent: float) -> float:
    try:
        result = base**exponent
    except (OverflowError, ZeroDivisionError):
        return 0.0
    return result if isinstance(result, float) and math.isfinite(result) else 0.0


def _read_stitching(value: object, depth: int) -> Function:
    entries = as_dictionary(value)
    parts = [read_function(part, depth + 1) for part in as_array(entries.get("/Functions"))]
    domain, encode = as_numbers(entries.get("/Domain")), as_numbers(entries.get("/Encode"))
    edges = [domain[0], *as_numbers(entries.get("/Bounds")), domain[1]]
    if not parts or len(edges) != len(parts) + 1 or len(encode) != 2 * len(parts):
        raise UnknownFunction

    def evaluate(inputs: Sequence[float]) -> list[float]:
        at = inputs[0] if inputs else 0.0
        # The last part also has the upper end of the domain (7.10.4).
        chosen = next((k for k in range(len(parts) - 1) if at < edges[k + 1]), len(parts) - 1)
        width = edges[chosen + 1] - edges[chosen]
        share = (at - edges[chosen]) / width if width else 0.0
        low, high = encode[2 * chosen : 2 * chosen + 2]
        return parts[chosen]([low + share * (high - low)])

    return evaluate


def _read_samples(value: object, depth: int) -> Function:
    if not isinstance(value, Stream):
        raise UnknownFunction
    sizes = [as_integer(size) for size in as_array(value.get("/Size"))]
    domain, ranges = as_numbers(value.get("/Domain")), as_numbers(value.get("/Range"))
    bits, results = as_integer(value.get("/BitsPerSample")), len(ranges) // 2
    count = math.prod(sizes) * results
    # Other numbers of bits would lie across bytes.
    if not sizes or min(sizes) < 1 or count < 1 or bits not in (8, 16):
        raise UnknownFunction
    data = value.read_bytes()
    # The defaults of Encode and Decode (table 39).
    encode = as_numbers(value.get("/Encode")) or [bound for size in sizes for bound in (0.0, size - 1.0)]
    decode = np.array(as_numbers(value.get("/Decode")) or ranges)
    if len(data) < count * bits // 8 or not len(domain) == len(encode) == 2 * len(sizes) or len(decode) != len(ranges):
        raise UnknownFunction
    # The first dimension varies fastest (7.10.2), and all results of one sample stand together.
    shares = np.frombuffer(data, f">u{bits // 8}", count).reshape(*sizes[::-1], results) / ((1 << bits) - 1)
    samples = decode[::2] + shares * (decode[1::2] - decode[::2])

    def evaluate(inputs: Sequence[float]) -> list[float]:
        corners = []
        for k, size in enumerate(sizes):
            width = domain[2 * k + 1] - domain[2 * k]
            share = (inputs[k] - domain[2 * k]) / width if width and k < len(inputs) else 0.0
            place = min(max(encode[2 * k] + share * (encode[2 * k + 1] - encode[2 * k]), 0.0), size - 1.0)
            low = min(int(place), max(size - 2, 0))  # linear interpolation between the two neighbors in each dimension
            corners.append(((low, 1 - (place - low)), (min(low + 1, size - 1), place - low)))
        total = np.zeros(results)
        for chosen in product(*corners):
            total += math.prod(weight for _, weight in chosen) * samples[tuple(at for at, _ in reversed(chosen))]
        return [float(result) for result in total]

    return evaluate


# --- calculator functions: a small language with a stack (7.10.5) ---------------------------------------------------

_WORD = regex(rb"[{}]|[^\s{}]+")
_DEEP_STACK = 100  # values; as many as readers must support

Program = list["float | str | Program"]


def _read_calculator(value: object, depth: int) -> Function:
    if not isinstance(value, Stream):
        raise UnknownFunction
    words = [word.decode("latin-1") for word in _WORD.findall(value.read_bytes())]
    if not words or words[0] != "{":
        raise UnknownFunction
    program, end = _read_block(words, 1, 0)
    if end != len(words):
        raise UnknownFunction

    def evaluate(inputs: Sequence[float]) -> list[float]:
        stack = list(inputs)
        try:
            _run(program, stack)
        except (IndexError, OverflowError, ZeroDivisionError, ValueError, TypeError):
            raise UnknownFunction from None
        return [float(result) for result in stack]

    return evaluate


def _read_block(words: Sequence[str], at: int, depth: int) -> tuple[Program, int]:
    program: Program = []
    while at < len(words) and depth <= MAX_DEPTH:
        word, at = words[at], at + 1
        if word == "}":
            return program, at
        if word == "{":
            block, at = _read_block(words, at, depth + 1)
            program.append(block)
        else:
            try:
                program.append(float(word))
            except ValueError:
                program.append(word)
    raise UnknownFunction


_BINARY: dict[str, Callable[[float, float], float]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "idiv": lambda a, b: int(a / b), "mod": math.fmod, "exp": _power,
    "atan": lambda a, b: math.degrees(math.atan2(a, b)) % 360,  # degrees from 0 to 360, as in PostScript
    "eq": operator.eq, "ne": operator.ne, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le,
    "and": lambda a, b: int(a) & int(b), "or": lambda a, b: int(a) | int(b), "xor": lambda a, b: int(a) ^ int(b),
}  # fmt: skip
_UNARY: dict[str, Callable[[float], float]] = {
    "abs": abs, "neg": operator.neg, "ceiling": math.ceil, "floor": math.floor, "truncate": int, "cvi": int,
    "round": lambda a: math.floor(a + 0.5),  # halves go up, unlike Python's round
    "cvr": float, "sqrt": math.sqrt, "ln": math.log, "log": math.log10, "not": operator.not_,
    "sin": lambda a: math.sin(math.radians(a)), "cos": lambda a: math.cos(math.radians(a)),
}  # fmt: skip


_STACK: dict[str, Callable[[list[float]], object]] = {
    "true": lambda stack: stack.append(1.0), "false": lambda stack: stack.append(0.0), "pop": list.pop,
    "dup": lambda stack: stack.append(stack[-1]), "exch": lambda stack: stack.insert(-1, stack.pop()),
    "copy": lambda stack: stack.extend(stack[len(stack) - count :] if (count := int(stack.pop())) else []),
    "index": lambda stack: stack.append(stack[-1 - int(stack.pop())]), "roll": lambda stack: _roll(stack),
}  # fmt: skip


def _roll(stack: list[float]) -> None:
    """Turn the top n values j times upwards: `n j roll`."""
    turns, count = int(stack.pop()), int(stack.pop())
    if not 0 < count <= len(stack):
        raise UnknownFunction
    turns %= count
    stack[-count:] = stack[len(stack) - turns :] + stack[-count : len(stack) - turns]


def _run(program: Program, stack: list[float]) -> None:
    blocks: list[Program] = []  # they wait for the `if` or `ifelse` behind them
    for step in program:
        if isinstance(step, float):
            stack.append(step)
        elif isinstance(step, list):
            blocks.append(step)
        elif step in _BINARY:
            second, first = stack.pop(), stack.pop()
            stack.append(float(_BINARY[step](first, second)))
        elif step in _UNARY:
            stack.append(float(_UNARY[step](stack.pop())))
        elif step == "if":
            chosen = blocks.pop()
            if stack.pop():
                _run(chosen, stack)
        elif step == "ifelse":
            otherwise, chosen = blocks.pop(), blocks.pop()
            _run(chosen if stack.pop() else otherwise, stack)
        elif step in _STACK:
            _STACK[step](stack)
        else:
            raise UnknownFunction
        if len(stack) > _DEEP_STACK:
            raise UnknownFunction
