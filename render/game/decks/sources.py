"""Read what paths mean: sets, and decks as sets of their cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from render.base.codes import EVERY_CODE, CodeChoice
from render.base.findings import Diagnostic, Refused, has_errors, sort_findings
from render.game.cards import GameSet
from render.game.decks.behind import sets_behind
from render.game.folder import SetFiles, decks_in, find_sets, is_deck
from render.game.sets import set_reader
from render.game.sets.checking import CheckReport, check_read


def survey_sources(paths: Iterable[Path], language: str | None = "") -> tuple[list[GameSet], list[Diagnostic]]:
    """Return every set and deck that could be read, with its sound cards, and all findings in order.

    `language` is as in `set_reader.survey`; a deck comes once, in the language named or that of its sets.
    """
    found, findings = find_sets(paths)
    sets = []
    for files in (each for some in found for each in in_languages(some, language)):
        card_set, wrong = read_source(files)
        findings += wrong
        sets += [card_set] if card_set else []
    return sets, sort_findings(findings)


def load_sources(paths: Iterable[Path], language: str = "") -> list[GameSet]:
    """Return the sets and decks that the paths mean; Refused with all findings of all files if there is an error."""
    sets, findings = survey_sources(paths, language)
    if has_errors(findings):
        raise Refused(findings)
    return sets


def read_source(files: SetFiles) -> tuple[GameSet | None, list[Diagnostic]]:
    """Return a set or a deck with its sound cards, and all findings; None if its own file cannot be read."""
    if files.deck is None:
        return set_reader.read_set(files)
    from render.game.decks.deck_reading import read_as_set

    return read_as_set(files.deck, files.language)


def in_languages(files: SetFiles, language: str | None) -> list[SetFiles]:
    """Return the files of a set once for each language in which it is to be printed, as `set_reader` does."""
    if files.deck is None:
        return set_reader.in_languages(files, language)
    if not language:
        return [files]
    first = next(iter(sets_behind(files)), None)
    own = first and set_reader.in_languages(first, language)[0].language == ""
    return [files if own else replace(files, language=language)]


def check_sources(
    paths: Iterable[Path],
    edition: int | None = None,
    language: str | None = None,
    codes: CodeChoice = EVERY_CODE,
) -> CheckReport:
    """Check sets and decks as `checking.check_sets` checks sets; a folder of decks stands for all of them."""
    meant = [each for path in paths for each in decks_of(path) or [path]]
    return check_read(*survey_sources(meant, language), edition, codes=codes)


def decks_of(path: Path) -> list[Path]:
    """Return the decks that a path stands for: a deck, or all in a folder of decks alone; [] if it stands for sets."""
    if path.is_file():
        return [path] if is_deck(path) else []
    try:
        decks = decks_in(path)
        return decks if decks and not find_sets([path])[0] else []
    except OSError:  # reported where sets are looked for
        return []
