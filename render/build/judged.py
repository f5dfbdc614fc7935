"""What the rules find in the cards of a set: judged anew only where it may be another thing than it was."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from render.build.inputs import Inputs
from render.build.keys import digest
from render.build.manifest import Manifest
from render.diag import Diagnostic
from render.games.kotc import editions
from render.games.kotc.cards import Card, CardSet


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules find, and by which rules: a digest of them and of the program."""

    findings: tuple[Diagnostic, ...] = ()
    rules: str = ""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of which there is something to say, by id."""
        return tuple(sorted({finding.card for finding in self.findings}))


@contextmanager
def judging(
    card_set: CardSet, before: Manifest, same: Container[str], inputs: Inputs, program: str
) -> Iterator[Callable[[], Ruled]]:
    """Let a second process judge cards, and give what asks for what it finds.

    Cards that are the `same` as in the build before are as legal as they were by the same rules; of those about which
    something was said, it is said again, at the place where it stands now.
    """
    rules, known = _rules(card_set, inputs, program)
    todo = card_set.cards
    if before.told.ruled_by == rules:
        said = frozenset(before.told.ruled)
        # What is said of an edition without rules is said once, so one card more or less may be another one's turn.
        todo = tuple(card for card in todo if _is_due(card, said, same) or card.edition not in known)
    if not todo:
        yield lambda: Ruled((), rules)
        return
    from render.games.kotc.checking import judged  # noqa: PLC0415 - a build that judges nothing starts sooner

    with judged([replace(card_set, cards=todo)]) as findings:
        yield lambda: Ruled(tuple(findings()), rules)


def _is_due(card: Card, said: Container[str], same: Container[str]) -> bool:
    return card.id in said or card.id not in same


def _rules(card_set: CardSet, inputs: Inputs, program: str) -> tuple[str, Sequence[int]]:
    """Return a digest of all rules that there are for the set, and the numbers of their editions."""
    known = editions.known(card_set.folder)
    files = [(number, inputs.labels.label(file), inputs.digest_of(file)) for number, file in known]
    return digest((program, files)), [number for number, _ in known]
