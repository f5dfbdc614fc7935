"""The codes of what `check` finds, and a choice among them: `--select` and `--ignore`, and these keys of `set.yaml`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity, nearest_word

DRAFT_CODE = "C024"
"""The code of the warning about each draft."""

# By letter, as the references list them; S, B, D, M and W share 2 to 19 with C.
_NUMBERS = {
    "A": "1-16", "B": "1-33", "C": "1-15 17-25", "D": "1-19 30-42", "K": "1-13", "L": "1-8 10-15", "M": "1-43", "N": "1-17",
    "P": "1-9", "R": "1-17", "S": "1-26 33-34 36-37", "T": "1-21", "U": "1-7", "V": "1-6", "W": "1-19 30-43", "Y": "1-21",
}  # fmt: skip


@cached(1)
def codes_of_checks() -> tuple[str, ...]:
    """Return every code that `check` can report."""
    return tuple(
        f"{letter}{number:03}"
        for letter, ranges in _NUMBERS.items()
        for first, _, last in (each.partition("-") for each in ranges.split())
        for number in range(int(first), int(last) + 1)
    )


def read_code(word: str) -> str:
    """Return a code, or the beginning of codes such as `V`; ValueError if no code begins so."""
    if word and any(code.startswith(word) for code in codes_of_checks()):
        return word
    near = nearest_word(word, [code.lower() for code in codes_of_checks()]).upper()
    letters = ", ".join(_NUMBERS)
    hint = f"did you mean `{near}`?" if near else f"codes have a letter ({letters}) and three digits, as in `V001`"
    raise ValueError(f"there is no code `{word}`: {hint}")


def read_codes(words: Iterable[str]) -> tuple[str, ...]:
    """Return the codes of words such as `V001,K`, each once; ValueError as in `read_code`."""
    parts = (part.strip() for word in words for part in word.split(","))
    return tuple(dict.fromkeys(read_code(part) for part in parts if part))


class CodeChoice(Struct, frozen=True):
    """Which findings are of interest: those of the codes `select`, all if it is empty, without those of `ignore`.

    Both hold codes and beginnings of codes; of two that fit, the longer one decides.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.select or self.ignore)

    def wants(self, code: str) -> bool:
        """Return whether findings of this code are of interest."""
        chosen = max((len(each) for each in self.select if code.startswith(each)), default=0 if self.select else 1)
        ignored = max((len(each) for each in self.ignore if code.startswith(each)), default=0)
        return chosen > 0 and (ignored == 0 or (bool(self.select) and chosen > ignored))

    def of_rules(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return those of the findings of rules that are of interest."""
        return [each for each in findings if self.wants(each.code)]

    def of_files(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return all errors, for which nothing can be made, and those warnings that are of interest."""
        return [each for each in findings if each.severity is Severity.ERROR or self.wants(each.code)]


EVERY_CODE = CodeChoice()
