"""Sets of this game, for its own commands; sets of other games are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Span, has_errors
from render.game import sources
from render.game.cards import GameSet
from render.game.folder import SET_FILE, Source
from render.game.sets import set_reader
from render.games.kotc.model.cards import CardSet


def load_sets(paths: Iterable[Path]) -> list[CardSet]:
    """Return the sets that the paths mean; Refused with all findings of all files if there is an error."""
    sets, findings = survey(paths)
    if has_errors(findings):
        raise Refused(findings)
    return sets


def survey(paths: Iterable[Path]) -> tuple[list[CardSet], list[Diagnostic]]:
    """Return the sets of this game with their sound cards, and all findings in order."""
    sets, findings = sources.survey(paths, to_edit=True)
    return _own(sets, findings), findings


def read_set(files: Source, texts: Mapping[Path, str] | None = None) -> tuple[CardSet | None, list[Diagnostic]]:
    """Return the set, and all findings; None if it is of another game or its own file cannot be read.

    Files with a text in `texts` are read as if they held that text.
    """
    card_set, findings = set_reader.read_set(files, texts)
    return next(iter(_own([card_set] if card_set else [], findings)), None), findings


def _own(sets: Iterable[GameSet], findings: list[Diagnostic]) -> list[CardSet]:
    """Return the sets of this game; for the others an error is added to the findings."""
    own = []
    for each in sets:
        if isinstance(each, CardSet):
            own.append(each)
        else:
            message = f"`{each.folder}` is a set of the game `{each.game_name}`"
            hint = "this command is for sets of `kotc`: name these alone"
            findings.append(Diagnostic("S023", message, hint).at(Span(file=each.folder / SET_FILE)))
    return own
