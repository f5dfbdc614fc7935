"""Which cards a command means: from paths to sets to faces, and combinations that are impossible."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import click
from click.core import ParameterSource

from render.cli.console import describe_counts, end_with_errors, say, say_findings
from render.cli.standing import outputs_here, paths_here, place_here
from render.cli.terminal.wrong_usage import nearest_beside

if TYPE_CHECKING:
    from render.base.findings import Finding
    from render.base.geometry import Size
    from render.cli.sheet_flags import Asked
    from render.exports.print_files import PrintJob
    from render.game.cards import GameSet
    from render.game.faces import Drawn
    from render.game.home import SetOrDeck
    from render.sheets.options import SheetOptions

ForPress = Callable[["GameSet"], bool]
"""Returns whether a set is drawn for a press, which prints no type as small as a home printer does."""

Chosen = list[tuple["GameSet", "Drawn"]]
"""Sets with the faces of the selected cards."""

PATHS = click.argument("paths", nargs=-1, type=click.Path(path_type=Path, readable=False), metavar="[PATH]...")
CARDS = click.option("--card", "ids", multiple=True, metavar="ID", help="Use only the card with this id; repeatable.")
_KINDS = click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Use only cards of this kind; repeatable.")
KEEP_GOING = click.option(
    "--keep-going",
    is_flag=True,
    help="Make the cards that have no error; on sheets, a marked blank stands for each of the others.",
)

LANGUAGE = click.option(
    "--language",
    metavar="CODE",
    callback=lambda _context, _parameter, code: _read_language(code),
    help="Print the cards in this language, such as de.  [default: those of set.yaml]",
)


def _read_language(code: str | None) -> str | None:
    if code is not None and not re.fullmatch("[a-z]{2,3}", code):
        raise click.BadParameter(f"expected two or three letters such as `de`, found `{code}`")
    return code


P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class CardSelection:
    """Which cards the command line asks for: those of paths, with the ids and of the kinds, or blank ones of an edition.

    Sets are in `language`; None means each in every language that it declares.
    """

    paths: tuple[Path, ...]
    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    blanks: Mapping[str, int]
    edition: int | None
    language: str | None

    def in_one_language(self) -> CardSelection:
        """Return the selection with sets in the language asked for, or each in its own."""
        return replace(self, language=self.language or "")

    def chosen(
        self, card_size: Size | None = None, for_press: ForPress = lambda _: False, *, keep_going: bool = False
    ) -> Chosen:
        """Lay out the cards and print what is doubtful about them; to keep going, also what is wrong."""
        if self.blanks:
            return [_blank_cards(self, card_size, for_press)]
        if self.edition is not None:
            raise click.UsageError("--edition needs --blank")
        found = chosen(self.paths, self.ids, card_size, for_press, self.language, keep_going=keep_going)
        return _of_kinds(found, self.kinds) if self.kinds else found


def wanted_cards(command: Callable[Concatenate[CardSelection, P], R]) -> Callable[P, R]:
    """Give a command the arguments that select cards; it gets them as its first argument."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        given = [kwargs.pop(key) for key in ("paths", "ids", "kinds", "blanks", "edition", "language")]
        return command(CardSelection(*given), *args, **kwargs)  # type: ignore[arg-type] # read by the options below

    # The option that is applied last is the first in the help.
    flagged: Callable[P, R] = wrapped
    for option in (LANGUAGE, _EDITION, _BLANK, _KINDS, CARDS, PATHS):
        flagged = option(flagged)
    return flagged


def _read_blanks(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> Mapping[str, int]:
    if not texts:
        return {}
    counts: dict[str, int] = {}
    try:
        for text in texts:
            kind, count = _counted(text)
            counts[kind] = counts.get(kind, 0) + count
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None
    return counts


def _counted(text: str) -> tuple[str, int]:
    """Return kind and number of `minion:9`; one, if there is no number."""
    kind, colon, number = text.partition(":")
    if colon and not (re.fullmatch("[0-9]{1,3}", number) and int(number)):
        raise ValueError(f"expected a number from 1 to 999, such as `{kind}:9`, found `{text}`")
    return kind, int(number or 1)


_BLANK = click.option(
    "--blank",
    "blanks",
    multiple=True,
    metavar="KIND:COUNT",
    callback=_read_blanks,
    help="Make only blank cards of this kind, to fill in by hand; repeatable.",
)
_EDITION = click.option(
    "--edition", type=click.IntRange(1, 999), help="Edition of the blank cards.  [default: the set's, else the newest]"
)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """All sets with the faces of their cards, and the warnings about them."""

    sets: Chosen
    findings: tuple[Finding, ...]


def laid_out(
    paths: tuple[Path, ...],
    card_size: Size | None = None,
    for_press: ForPress = lambda _: False,
    language: str | None = "",
    *,
    keep_going: bool = False,
) -> LaidOut:
    """Load and lay out all sets, at the size asked for or their own; Refused with the findings of all.

    To keep going, marked blanks stand for cards that have an error.
    """
    from render.base.findings import Refused, has_errors
    from render.game.faces import lay_out_set

    sets, findings = load_sets(paths, language)
    if keep_going and sets:
        from render.game.missing_cards import keep_good_cards

        kept, findings = keep_good_cards([_sized(card_set, card_size, for_press) for card_set in sets], findings)
        return LaidOut([(each.card_set, each.drawn) for each in kept], tuple(findings))
    drawn: Chosen = []
    for card_set in sets:
        sized = _sized(card_set, card_size, for_press)
        try:
            faces = lay_out_set(sized)
        except Refused as error:
            # The other sets are laid out all the same: one run says what is wrong in all of them.
            findings += error.findings
            continue
        drawn.append((sized, faces))
        findings += faces.findings
    if has_errors(findings):
        from render.game.sets.checking import everything_wrong

        raise Refused(everything_wrong(sets, findings))
    return LaidOut(drawn, tuple(dict.fromkeys(findings)))


def load_sets(paths: tuple[Path, ...], language: str | None = "") -> tuple[list[GameSet], list[Finding]]:
    """Load all sets that could be read, with all findings; wrong usage if there is nothing at a path.

    `language` is as in `set_reader.survey`.
    """
    from render.game.decks.sources import survey_sources

    sets, findings = survey_sources(check_paths(paths), language)
    wordless = next((card_set for card_set in sets if language and not card_set.languages), None)
    if wordless:
        message = f"cards of the game `{wordless.game_name}` are in one language only"
        raise click.BadParameter(message, param_hint="--language")
    return sets, list(dict.fromkeys(findings))


def check_paths(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths, or the one that is meant where none is given; wrong usage if there is nothing at one."""
    meant = or_here(paths)
    check_given(paths)
    return meant


def or_here(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths, or the one that is meant where none is given; wrong usage if there is none (`standing`)."""
    return paths or paths_here()


def check_given(paths: Iterable[Path], called: str = "PATH") -> None:
    """Refuse paths of the command line at which there is nothing; the message calls them `called`."""
    for path in paths:
        if not (path.exists() or path.is_symlink()):  # a link that leads nowhere is said where it is read
            raise click.BadParameter(f"`{path}` does not exist{nearest_beside(path)}", param_hint=called)


def _sized(card_set: GameSet, card_size: Size | None, for_press: ForPress) -> GameSet:
    from render.game import cards

    sizes = {part.sheet.card_size for part in card_set.parts}
    if len(sizes) > 1 and card_size is None:
        raise click.UsageError(f"{card_set.name}: the sets have cards of different sizes: choose with --card-size")
    sized = replace(card_set, sheet=replace(card_set.sheet, card_size=card_size)) if card_size else card_set
    return cards.for_press(sized) if for_press(sized) else sized


def chosen(
    paths: tuple[Path, ...],
    ids: tuple[str, ...] = (),
    card_size: Size | None = None,
    for_press: ForPress = lambda _: False,
    language: str | None = "",
    *,
    keep_going: bool = False,
) -> Chosen:
    """Lay out all sets, print what is doubtful, and keep the cards named by --card, if any are named.

    To keep going, what is wrong is printed, too, and the command ends with its status all the same.
    """
    from render.base.findings import did_you_mean, has_errors, listed
    from render.game.faces import Drawn

    everything = laid_out(paths, card_size, for_press, language, keep_going=keep_going)
    # Asked of all sets together: with several, an id need be in only one of them.
    known = [face.card.id for _, drawn in everything.sets for face in drawn.faces]
    unknown = [wanted for wanted in ids if wanted not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise click.BadParameter(
            f"there is no card {listed(unknown)}{f': {hint}' if hint else ''}", param_hint="--card"
        )
    say_findings(everything.findings)
    if has_errors(everything.findings):
        say(describe_counts(everything.findings))
        end_with_errors()
    if not ids:
        return everything.sets
    kept = [
        (card_set, Drawn(tuple(face for face in drawn.faces if face.card.id in ids), drawn.findings))
        for card_set, drawn in everything.sets
    ]
    return [(card_set, drawn) for card_set, drawn in kept if drawn.faces]


def _of_kinds(found: Chosen, kinds: tuple[str, ...]) -> Chosen:
    """Keep the cards of these kinds, and blanks of cards whose kind is not known; wrong usage if there is none."""
    from render.base.findings import did_you_mean, listed
    from render.game.cards import UNKNOWN_KIND
    from render.game.registry import game_of

    names = dict.fromkeys(kind for card_set, _ in found for kind in game_of(card_set).kinds)
    unknown = [kind for kind in kinds if kind not in names]
    if unknown:
        hint = did_you_mean(unknown[0], names) or f"the kinds are {listed([*names], 'and')}"
        raise click.BadParameter(f"there is no kind {listed(unknown)}: {hint}", param_hint="--kind")
    shown = (*kinds, UNKNOWN_KIND.value)
    kept = [
        (card_set, replace(drawn, faces=tuple(face for face in drawn.faces if face.card.kind.value in shown)))
        for card_set, drawn in found
    ]
    if not any(drawn.faces for _, drawn in kept):
        raise click.BadParameter(f"there is no card of the kind {listed(kinds)}", param_hint="--kind")
    return [(card_set, drawn) for card_set, drawn in kept if drawn.faces]


def _blank_cards(wanted: CardSelection, card_size: Size | None, for_press: ForPress) -> tuple[GameSet, Drawn]:
    """Lay out blank cards in the frames of the set, or in those of the program if there is none."""
    from render.game.faces import lay_out_set
    from render.game.registry import DEFAULT, game_named, game_of

    if wanted.ids or wanted.kinds:
        raise click.UsageError(f"--blank makes only blank cards: leave out {'--card' if wanted.ids else '--kind'}")
    sets = _sets_with_frames(wanted)
    # Blank cards need no set: they can be printed before any card is written.
    game = game_of(sets[0]) if sets else game_named(DEFAULT)
    try:
        blank_set, said = game.blank_set(sets, wanted.blanks, wanted.edition, chosen=bool(wanted.paths))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--blank'") from None
    if said:
        say(said)
    blank_set = _sized(blank_set, card_size, for_press)
    drawn = lay_out_set(blank_set)
    say_findings(drawn.findings)
    return blank_set, drawn


def _sets_with_frames(wanted: CardSelection) -> list[GameSet]:
    """Return the sets, without their cards, in whose frames blank cards may be; none if there are none here."""
    from render.game.folder import find_sets
    from render.game.sets.set_reader import declared

    if len(wanted.paths) > 1:
        raise click.UsageError("blank cards use the frames of one set: give one PATH")
    check_given(wanted.paths)
    path = wanted.paths[0] if wanted.paths else place_here()
    # The folder that is meant may hold no set, and then the program's frames do; one that is named must hold one.
    there = path and (wanted.paths or find_sets([path])[0])
    return list(declared(path)) if path and there else []


def without_blanks(drawn: Drawn) -> Drawn:
    """Return the faces without the marked blanks of missing cards, which only sheets have."""
    from render.game.cards import MissingCard

    return replace(drawn, faces=tuple(face for face in drawn.faces if not isinstance(face.card, MissingCard)))


def say_missing(card_set: GameSet) -> None:
    """Print which cards of a set have an error and were not made, if there are any."""
    from render.game.missing_cards import describe_missing

    if card_set.missing:
        say(f"  {describe_missing(card_set)}")


def job_of(group: Chosen) -> PrintJob:
    """Return the job to print; wrong usage if there is no copy at all."""
    from render.exports.print_files import PrintJob

    job = PrintJob(tuple(card_set for card_set, _ in group), tuple(face for _, drawn in group for face in drawn.faces))
    if not any(face.card.copies for face in job.faces):
        raise click.UsageError(f"{job.title}: every card has `copies: 0`, so there is nothing to print")
    return job


def options_for(sets: Sequence[GameSet], asked: Asked) -> SheetOptions:
    """Return how the sheets are made, from command line, sets and defaults; wrong usage if that is impossible."""
    from render.cli.sheet_flags import say_doubts
    from render.exports.print_files import shared_options
    from render.sheets.cutting import registration_marks
    from render.sheets.imposition import fit_grid

    try:
        options = shared_options(sets, asked)
        # Not used here. Both raise the ValueError that otherwise would come up while files are written.
        registration_marks(fit_grid(options))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    # Only if asked for here: a set that says so may go to a press by `kotc shop`.
    if asked.get("rich_black") and not options.for_press:
        raise click.UsageError("--rich-black needs --standard x-1a or x-4")
    say_doubts(options, asked)  # those of the sets are said where these are read
    return options


def named_folder(context: click.Context, parameter: click.Parameter, folder: Path) -> Path:
    """Return a folder for outputs; if the user named a link, where it leads."""
    if context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT:
        return outputs_here()
    return Path(os.path.realpath(folder)) if folder.is_symlink() else folder


OUT_FOLDER = click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("out"),
    show_default=True,
    callback=named_folder,
    help="Folder for the outputs; each set gets a folder in it.",
)


_NO_PDF = (".png", ".jpg", ".jpeg", ".svg", ".html", ".yaml", ".zip")


def pdf_file(context: click.Context, parameter: click.Parameter, file: Path | None) -> Path | None:
    """Return the file for sheets; wrong usage if its name is that of another kind of file."""
    if file is not None and file.suffix.lower() in _NO_PDF:
        other = "; `kotc png` draws pictures" if file.suffix.lower() == ".png" else ""
        raise click.BadParameter(f"sheets are a PDF: write `{file.with_suffix('.pdf')}`, not `{file}`{other}")
    return file


def check_folders_differ(group: Chosen) -> None:
    """Refuse two sets whose folders have the same name: they would overwrite each other's outputs."""
    check_names_differ([card_set for card_set, _ in group])


def check_ids_in_decks(group: Chosen) -> None:
    """Refuse decks in which cards of two sets have one id, if each card gets a file of its own."""
    from render.game.cards import same_id

    for card_set, drawn in group:
        ids = [face.card.id for face in drawn.faces]
        twice = next((name for number, name in enumerate(ids) if name in ids[:number]), None) if card_set.deck else None
        if twice:
            raise click.UsageError(f"{card_set.name}: {same_id(card_set, twice)}")


def check_names_differ(sources: Sequence[SetOrDeck]) -> None:
    """Refuse two sets or decks whose outputs would have a folder of the same name."""
    from render.build.session import clash_of_names

    message = clash_of_names(sources)
    if message:
        raise click.UsageError(message)


def check_one_language(group: Chosen) -> None:
    """Refuse one set in several languages if all go into one folder."""
    from render.base.findings import listed

    for card_set in {card_set.origin: card_set for card_set, _ in group if card_set.subfolder}.values():
        if any(other.origin == card_set.origin and other.language != card_set.language for other, _ in group):
            both = f"`{card_set.name}` is printed in {listed(card_set.languages, 'and')}"
            raise click.UsageError(f"{both}: choose one with --language")


def check_ids_differ(group: Chosen) -> None:
    """Refuse two sets with the same card if all go into one folder."""
    check_one_language(group)
    check_ids_in_decks(group)
    seen: dict[str, GameSet] = {}
    for card_set, drawn in group:
        for face in drawn.faces:
            other = seen.setdefault(face.card.id, card_set)
            if other is not card_set:
                both = f"`{other.name}` and `{card_set.name}` both have a card `{face.card.id}`"
                raise click.UsageError(f"{both}: write each set into its own folder")


def default_folder(card_set: GameSet) -> Path:
    """Return `out/<set's folder name>`; for another language than the set's own, the folder of that name in it."""
    return outputs_here() / card_set.output_name / card_set.subfolder
