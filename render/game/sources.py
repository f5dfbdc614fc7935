"""What a PATH on the command line stands for: sets, and decks as sets of their cards, all found, read and handed on here.

A source is found without reading it (`folder`). A build that has nothing to do reads none, so what reads is imported
when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from render.base.codes import EVERY_CODE, CodeChoice
from render.base.files import Paths, as_paths
from render.base.findings import Diagnostic, Found, Refused, has_errors, listed, sort_findings
from render.game.folder import Source, decks_in, find_sources, is_deck, may_have_versions
from render.game.home import AS_THEY_ARE, EVERY_VERSION, Versions

if TYPE_CHECKING:
    from render.base.caches import Memory
    from render.game.cards import GameSet
    from render.game.decks.deck_reading import ReadDeck
    from render.game.sets.checking import CheckReport


def load_sets(
    paths: Paths, language: str = "", *, decks: bool = False, versions: Versions = AS_THEY_ARE
) -> list[GameSet]:
    """Return the sets that the paths mean; Refused with all findings of all files if there is an error.

    Their cards are in the language, if one is named, else in the set's own, and in these versions. `decks` are taken as
    sets of their cards, or refused.
    """
    sets, findings = survey(as_paths(paths), language, decks=decks, versions=versions)
    if has_errors(findings):
        raise Refused(findings)
    return sets


def check_sets(
    paths: Paths,
    edition: int | None = None,
    language: str | None = None,
    codes: CodeChoice = EVERY_CODE,
    told: Found = lambda _: None,
    memory: Memory | None = None,
    narrow: Callable[[Sequence[GameSet]], Sequence[GameSet]] | None = None,
    least_type: float | None = None,
    *,
    templates: bool = False,
    versions: Versions = EVERY_VERSION,
) -> CheckReport:
    """Check sets and decks: their files, how their cards are drawn, and what the rules of their game say of the cards.

    A path is the folder of a set, a card file, a deck, or a folder of sets or of decks. With a number, cards are held to
    the rules of that edition and not to those of their own. Cards are checked in the language, if one is named, else in
    all that their set declares, and so are `versions`. Of `codes` are the findings to report. Those of a file, and those of drawing some
    cards, are `told` as soon as they are known. `memory` is what cards without findings are remembered in. To `narrow` sets
    leaves out cards that are not judged, and what concerns sets as a whole. With a `least_type`, in points, what players
    with little sight or other eyes cannot make out is a warning, such as smaller type; with `templates`, what a second look finds in templates, too. OSError.
    """
    from render.game.known_cards import SoundCards
    from render.game.sets.checking import check_read

    def tell(findings: Sequence[Diagnostic]) -> None:
        told(codes.of_files(findings))

    meant = (each for path in as_paths(paths) for each in decks_of(path) or [path])
    sets, findings = survey(meant, language, decks=True, told=tell, memory=memory, versions=versions)
    if narrow:
        report = check_read(sets := [*narrow(sets)], findings, edition, codes=codes, told=tell, are_whole=False)
    else:
        sound = partial(SoundCards, memory) if memory else None
        report = check_read(sets, findings, edition, sound=sound, codes=codes, told=tell)
    if has_errors(report.findings):
        return report
    more: list[Diagnostic] = []
    if templates:
        from render.game.declared.template_lint import lint_templates

        own = [card_set for card_set in sets if not card_set.deck]
        more += (each for each in lint_templates(own) if any(one.codes.of_files([each]) for one in own))
    if least_type is not None:
        from render.game.access import access_findings

        more += access_findings(sets, least_type)
    return replace(report, findings=tuple(dict.fromkeys((*report.findings, *codes.of_files(more)))))


def survey(
    paths: Iterable[Path],
    language: str | None = "",
    *,
    decks: bool = False,
    to_edit: bool = False,
    told: Found = lambda _: None,
    memory: Memory | None = None,
    versions: Versions = AS_THEY_ARE,
) -> tuple[list[GameSet], list[Diagnostic]]:
    """Return every set that could be read, with its sound cards, and all findings in order.

    With a language, sets are printed in it; with None, each comes once for every language that it declares. Usually
    each is in its own language. It comes once for each of the `versions`, too. A deck, if `decks` are taken, is in the
    language named or that of its sets.
    The nodes of cards `to_edit` are kept. Findings are `told` as soon as they are known. `memory` is what cards are
    remembered in.
    """
    found, findings = find_sources(paths)
    findings += [no_set_but_deck(each.deck) for each in found if each.deck and not decks]
    told(findings)
    sets = []
    for source in (each for one in found if decks or not one.deck for each in in_versions(one, language, versions)):
        card_set, wrong = read(source, told, to_edit=to_edit, memory=memory)
        told(wrong)
        findings += wrong
        sets += [card_set] if card_set else []
    return sets, sort_findings(findings)


def no_set_but_deck(deck: Path) -> Diagnostic:
    """Return what is said of a deck where a set is needed."""
    from render.game.decks.deck_file import read_sets

    sets = [str(folder) for folder in read_sets(deck)]
    hint = (
        f"give the folder{'s' * (len(sets) > 1)} {listed(sets, 'and')} of its cards"
        if sets
        else "give the folders of its sets"
    )
    return Diagnostic("P008", f"`{deck}` is a deck, and sets are needed here", hint).at()


def read(
    source: Source, told: Found = lambda _: None, *, to_edit: bool = False, memory: Memory | None = None
) -> tuple[GameSet | None, list[Diagnostic]]:
    """Return a set or a deck with its sound cards, and all findings; None if its own file cannot be read.

    What the rules find in a deck and is no error is in `ruled` of the set. Findings of a file are `told` once it is read.
    The nodes of cards `to_edit` are kept, which take much memory. Other cards are remembered in `memory`.
    """
    from render.game.registry import game_of
    from render.game.sets import set_reader

    if source.deck is None:
        return set_reader.read_set(source, told=told, at_rest=not to_edit, memory=memory)
    deck = read_deck(source.deck, source.language, memory, Versions((source.variant,), source.layers))
    findings = [*deck.findings]
    if deck.card_set is None or has_errors(findings):
        return deck.card_set, findings
    try:
        ruled = game_of(deck.card_set).judge_deck(deck.card_set, deck.cards)
    except Refused as refused:  # there are no such rules
        return deck.card_set, [*findings, *refused.findings]
    wrong = [finding for finding in ruled if has_errors([finding])]
    rest = tuple(sort_findings(finding for finding in ruled if finding not in wrong))
    return replace(deck.card_set, ruled=rest), sort_findings([*findings, *wrong])


def read_deck(
    file: Path, language: str = "", memory: Memory | None = None, versions: Versions = AS_THEY_ARE
) -> ReadDeck:
    """Read a deck with the sets that it names, in that language or each in its own; its rules are not asked.

    Of `versions` there is one. Cards that do not have its variant are as they are.
    """
    from render.game.decks import deck_file, deck_reading

    try:
        written = deck_file.read(file)
    except Refused as refused:
        return deck_reading.ReadDeck(None, (), tuple(refused.findings))

    deck = deck_reading.deck_of(written, *survey(written.sets, memory=memory))
    # Names are those of the card files: cards are found before they are translated.
    if not language and versions == AS_THEY_ARE:
        return deck
    plain = replace(versions, variants=AS_THEY_ARE.variants)
    sets, findings = survey(written.sets, language, memory=memory, versions=plain)
    if versions != plain:
        having = [each.folder for each in sets if {*each.variants}.issuperset(versions.variants or ())]
        varied, more = survey(having or written.sets, language, memory=memory, versions=versions)
        sets, findings = [*sets, *varied], [*findings, *more]
    return deck_reading.translated(deck, written, sets, findings)


def declared(path: Path) -> Iterator[GameSet]:
    """Yield the sets that a path means, without their cards; Refused with what is wrong in a set's own file."""
    from render.game.sets.set_reader import declare

    found, findings = find_sources([path])
    if not found:
        raise Refused(findings)
    for source in found:
        card_set, findings = declare(source)
        if card_set is None or has_errors(findings):
            raise Refused(findings)
        yield card_set


# --- what stands behind a source --------------------------------------------------------------------------------------


def sets_behind(source: Source) -> list[Source]:
    """Return the sets that a source reads: a set itself, or those that a deck names, as far as they are there."""
    if source.deck is None:
        return [source]
    from render.game.decks.deck_file import read_sets

    return find_sources(read_sets(source.deck))[0]


def in_versions(source: Source, language: str | None, versions: Versions = AS_THEY_ARE) -> list[Source]:
    """Return a set once for each language in which it is to be printed: the one named; all that it declares for None.

    In each, it comes in the versions that are asked for. A deck comes in the language named, and as it is in place of
    all variants.
    """
    source, variants = replace(source, layers=versions.layers), versions.variants or ("",)
    asks = (language is None or versions.variants is None) and source.deck is None and may_have_versions(source)
    languages: tuple[str, ...] = ("",)
    if language or asks:
        from render.game.sets.set_reader import declare

        first = next(iter(sets_behind(source)), None)
        card_set = declare(first)[0] if first else None
        own, *others = (card_set.languages if card_set else ()) or ("",)
        languages = ("", *others) if language is None else ("",) if language in (own, "") else (language,)
        if card_set and asks and versions.variants is None:
            variants = ("", *card_set.variants)
    return [replace(source, language=each, variant=variant) for each in languages for variant in variants]


def decks_of(path: Path) -> list[Path]:
    """Return the decks that a path stands for: a deck, or all in a folder of decks alone; [] if it stands for sets."""
    if path.is_file():
        return [path] if is_deck(path) else []
    try:
        decks = decks_in(path)
        return decks if decks and not find_sources([path])[0] else []
    except OSError:  # reported where sets are looked for
        return []
