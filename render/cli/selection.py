"""What a command works on and where: the sets and cards that are meant here, their folders of outputs, what comes next.

In the folder of a set and below it, that set is meant; elsewhere the folder `cards`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import click
from click.core import ParameterSource
from msgspec import Struct, field
from msgspec.structs import replace

from render.base.addresses import Place, read_place
from render.base.findings import Diagnostic, Refused, did_you_mean, has_errors, listed, quoted
from render.base.reach import describe_escape, real_path
from render.cli.command import Decorated, in_other_case, nearest_beside
from render.cli.console import describe_counts, end_with_errors, say, say_findings
from render.cli.options import PIECE_KEYS, Asked, gathered, say_doubts
from render.game.home import ALL, EVERY_VERSION, PLAIN, Layers, Versions

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from render.base.caches import Memory
    from render.base.geometry import Size
    from render.build.session import Target
    from render.build.store import Store
    from render.exports.box_files import Piece
    from render.exports.print_files import PrintJob, SizedJob
    from render.game.cards import GameCard, GameSet
    from render.game.faces import Drawn, Faces, Finish
    from render.sheets.calibration.printers import Calibration
    from render.sheets.options import SheetOptions

CARDS_HERE = Path("cards")
_SET_FILE = "set.yaml"  # `folder.SET_FILE`, without the import: what a command starts with counts
_MAX_DEPTH = 40  # folders above this one in which a set is looked for


def place_here() -> Path | None:
    """Return the folder that is meant where no path is given; None if there is none.

    It is the set in whose folder the user stands, the folder `cards`, the set in a folder above, or the folder itself
    if its subfolders are sets. Wrong usage if `cards` is a link that leads away: it may have come with what was
    unpacked here, as `out` may.
    """
    if Path(_SET_FILE).is_file():
        return Path()
    if not CARDS_HERE.is_dir():
        return _set_above() or (Path() if _has_sets(Path()) else None)
    if real_path(CARDS_HERE, Path()) is None:
        away = describe_escape(CARDS_HERE, "this folder")
        raise click.UsageError(f"the folder `cards` {away}: to use it, give it as PATH")
    return CARDS_HERE


def where_looked() -> str:
    """Return where a set was looked for in vain."""
    other = in_other_case(CARDS_HERE)
    return f"found no set: no `{_SET_FILE}` here or in a folder above, and no folder `{CARDS_HERE}` here{other}"


def _set_above() -> Path | None:
    """Return the folder of the set below whose folder the user stands, such as `../..`; None if there is none."""
    try:
        above = Path.cwd().parents[:_MAX_DEPTH]
    except OSError:  # the folder was removed meanwhile
        return None
    steps = next((steps for steps, folder in enumerate(above, 1) if (folder / _SET_FILE).is_file()), 0)
    return Path(*[os.pardir] * steps) if steps else None


def stands_in_cards() -> bool:
    """Return whether sets lie beside each other here: the folder is called `cards`, or its subfolders are sets."""
    return Path.cwd().name == CARDS_HERE.name or (not CARDS_HERE.exists() and _has_sets(Path()))


def _has_sets(folder: Path) -> bool:
    try:
        return any((each / _SET_FILE).is_file() for each in folder.iterdir() if not each.name.startswith("."))
    except OSError:
        return False


def outputs_here() -> Path:
    """Return the folder for outputs where none is given: `out` here; below the folder of a set, `out` in that.

    It may come with a set that is unpacked here, so it is not followed if it is a link, like any link below it; a
    folder that the user names is.
    """
    above = None if Path(_SET_FILE).is_file() or CARDS_HERE.is_dir() else _set_above()
    return above / "out" if above else Path("out")


def typed(*words: str | Path) -> str:
    """Return a command of the program as the user can type it here: with the name by which it was started now."""
    return " ".join([_program(), *(_quoted(str(word)) for word in words)])


def next_commands(*commands: str) -> None:
    """Print which commands come next."""
    say("next:", *(f"  {command}" for command in commands))


def _program() -> str:
    """Return `kotc` if that is how a shell finds this program, else the path by which it was started."""
    from render.base.files import shortest

    started = Path(sys.argv[0])
    if started.name == "__main__.py" and started.parent.name == "render":  # python -m render
        return f"{_quoted(shortest(Path(sys.executable)))} -m {started.parent.name}"
    if started.stem != "kotc":  # from another program
        return "kotc"
    import shutil

    on_path = shutil.which("kotc")
    return "kotc" if on_path and Path(on_path).resolve() == started.resolve() else _quoted(shortest(started))


def _quoted(word: str) -> str:
    """Return a word so that a shell takes it for one."""
    if sys.platform == "win32":
        return f'"{word}"' if re.search(r"[^\w./\\:=+-]", word) or not word else word
    return shlex.quote(word)


# Paths: which sets they mean, and where outputs go.
PATHS = click.argument("paths", nargs=-1, type=click.Path(path_type=Path, readable=False), metavar="[PATH]...")


def or_here(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths, or the one that is meant where none is given; wrong usage if there is none."""
    if paths:
        return paths
    place = place_here()
    if place is None:
        raise click.UsageError(f"{where_looked()}; `kotc init` makes a set, or give the folder of a set or a card file")
    return (place,)


def check_paths(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths, or the one that is meant where none is given; wrong usage if there is nothing at one."""
    meant = or_here(paths)
    check_given(paths)
    return meant


def check_given(paths: Iterable[Path], called: str = "PATH") -> None:
    """Refuse paths of the command line at which there is nothing; the message calls them `called`."""
    for path in paths:
        if not (path.exists() or path.is_symlink()):  # a link that leads nowhere is said where it is read
            raise click.BadParameter(f"`{path}` does not exist{nearest_beside(path)}", param_hint=called)


def folders_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths to build: a card file stands for its whole set; wrong usage if there is nothing at one."""
    from render.game.sources import decks_of

    return tuple(path.parent if path.is_file() and not decks_of(path) else path for path in check_paths(paths))


def targets(
    paths: tuple[Path, ...],
    out: Place,
    language: str | None = "",
    versions: Versions = EVERY_VERSION,
    store: Path | None = None,
) -> list[Target]:
    """Return the sets to build as `find_targets` does, and print what is doubtful about the paths; Refused, OSError."""
    from render.build.session import find_targets

    try:
        found, doubts = find_targets(folders_of(paths), out, language, versions, store)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    say_findings(doubts)
    return found


class _Output(click.Path):
    """A file or a folder for outputs, or, where that `is_far`, an address."""

    def __init__(self, *, folder: bool, is_far: bool) -> None:
        super().__init__(path_type=Path, file_okay=not folder, dir_okay=folder)
        self._is_far = is_far

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        place = read_place(os.fspath(value))
        if isinstance(place, Path):
            return super().convert(place, param, ctx)
        if not self._is_far:
            self.fail(f"this command writes into folders of this machine, and not to `{place}`", param, ctx)
        return place


def out_option(
    words: str, *, folder: bool = False, is_far: bool = False, **more: Any
) -> Callable[[Decorated], Decorated]:
    """Return the option `--out`, a file or a folder, with these words as its help; if it `is_far`, also an address."""
    return click.option("--out", "-o", type=_Output(folder=folder, is_far=is_far), help=words, **more)


def named_folder(context: click.Context, parameter: click.Parameter, folder: Place | None) -> Place | None:
    """Return a folder for outputs; if the user named a link, where it leads."""
    if folder is None or context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT:
        return folder and outputs_here()
    return Path(os.path.realpath(folder)) if isinstance(folder, Path) and folder.is_symlink() else folder


_EACH_IN_IT = "Folder for the outputs; each set gets a folder in it."

OUT_FOLDER, OUT_PLACE = (
    out_option(words, folder=True, is_far=is_far, default=Path("out"), show_default=True, callback=named_folder)
    for words, is_far in ((_EACH_IN_IT, False), (f"{_EACH_IN_IT} Also an address such as s3://.", True))
)


def pdf_file(context: click.Context, parameter: click.Parameter, file: Place | None) -> Place | None:
    """Return the file for sheets; wrong usage if its name is that of another kind of file."""
    if file is not None and file.suffix.lower() in (".png", ".jpg", ".jpeg", ".svg", ".html", ".yaml", ".zip"):
        other = "; `kotc png` draws pictures" if file.suffix.lower() == ".png" else ""
        raise click.BadParameter(f"sheets are a PDF: write `{file.with_name(f'{file.stem}.pdf')}`, not `{file}`{other}")
    return file


def html_page(context: click.Context, parameter: click.Parameter, page: Path | None) -> Path | None:
    """Return the file for a page; wrong usage if its name is not that of a page: a card file, a picture, a sheet."""
    if page and page.suffix.lower() not in (".html", ".htm"):
        message = f"`{page}` is not the name of an HTML page: it must end in `.html`"
        raise click.BadParameter(message, context, parameter)
    return page


# Cards: which of a set are meant, laid out.
def _read_language(_context: click.Context, _parameter: click.Parameter, code: str | None) -> str | None:
    if code is not None and not re.fullmatch("[a-z]{2,3}(-[a-z]{2,4})?", code):
        raise click.BadParameter(f"expected two or three letters such as `de`, found `{code}`")
    return code


def _read_blanks(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> Mapping[str, int]:
    """Return how many blank cards of which kind there are to be: `minion:9` are nine, `minion` is one."""
    counts: dict[str, int] = {}
    for text in texts:
        kind, colon, number = text.partition(":")
        if colon and not (re.fullmatch("[0-9]{1,3}", number) and int(number)):
            message = f"expected a number from 1 to 999, such as `{kind}:9`, found `{text}`"
            raise click.BadParameter(message, context, parameter)
        counts[kind] = counts.get(kind, 0) + int(number or 1)
    return counts


def _read_where(_context: click.Context, _parameter: click.Parameter, text: str | None) -> str:
    """Return the expression on one line, "" if none is given; wrong usage if it is none."""
    if text is None:
        return ""
    from render.layout.templates.expressions import ExpressionFailed, names_in

    where = "".join(" " if char.isspace() else char for char in text).rstrip()
    if not where:
        raise _wrong_where(where, "expected an expression, found nothing")
    try:
        names_in(where)
    except ExpressionFailed as failed:
        raise _wrong_where(where, str(failed), failed.hint, failed.place) from None
    return where


def _wrong_where(where: str, message: str, hint: str = "", place: tuple[int, int] | None = None) -> click.BadParameter:
    """Return the error that says what is wrong with an expression, with the words that are meant underlined."""
    lines = [f"{message}{f': {hint}' if hint else ''}"]
    if place:
        lines += [f"    {where}", f"    {' ' * place[0]}{'^' * max(place[1] - place[0], 1)}"]
    return click.BadParameter("\n".join(lines), param_hint="--where")


def fitting(where: str, cards: Iterable[GameCard]) -> Callable[[GameCard], bool]:
    """Return which of these cards an expression holds for; wrong usage if for none, or if it names what they lack."""
    from render.game.registry import game_of
    from render.game.variants import holds
    from render.layout.templates.expressions import ExpressionFailed, names_in

    names, does_fit, seen = names_in(where), False, dict[str, set[object]]()
    for card in cards:
        values = game_of(card).expression_values(card)
        if unknown := sorted(names - values.keys()):
            of_all = (game_of(each).expression_values(each).values() for each in (card, *cards))
            is_text = any(unknown[0] in each for each in of_all)
            raise _unknown_name(where, unknown[0], list(values), is_text=is_text)
        for name in sorted(names):
            seen.setdefault(name, set()).update(value if isinstance(value := values[name], tuple) else (value,))
        try:
            does_fit = holds(where, values) or does_fit
        except ExpressionFailed as failed:
            given = " and ".join(f"`{name} is not none`" for name in sorted(names) if values[name] is None)
            message = f"it stops for the card `{card.id}`: {failed}"
            raise _wrong_where(where, message, failed.hint or (f"ask first whether {given}" if given else "")) from None
    if not does_fit:
        told = "; ".join(f"`{name}` is {_range_of(values)}" for name, values in seen.items())
        raise _wrong_where(where, f"no card fits `{where}`", told)
    return lambda card: holds(where, game_of(card).expression_values(card))


def _unknown_name(where: str, name: str, known: list[str], *, is_text: bool) -> click.BadParameter:
    """Return the error of a name that no value of a card has, with those that there are; `is_text` says if a card has
    that text as a value.
    """
    found = re.search(rf"(?<![\w.'\"]){re.escape(name)}\b", where)
    hint = "write names without `card.`" if name == "card" else did_you_mean(name, known)
    if is_text:
        return _wrong_where(where, f"`{name}` is a text", f"write it in quotes: `'{name}'`", found and found.span())
    there_are = f"cards have {listed(known, 'and')}"
    return _wrong_where(
        where, f"nothing is called `{name}`", "; ".join(filter(None, (hint, there_are))), found and found.span()
    )


def _range_of(values: set[object]) -> str:
    """Return in words what cards say in one of their fields: the least and the most of numbers, else some of the words."""
    numbers = sorted(each for each in values if isinstance(each, int | float) and not isinstance(each, bool))
    if numbers and values <= {*numbers, None}:
        return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    words = sorted(str(each).lower() if isinstance(each, bool) else quoted(str(each)) for each in values - {None, ""})
    more = " and so on" if len(words) > _MAX_WORDS else ""
    return f"{', '.join(words[:_MAX_WORDS])}{more}" if words else "never given"


_MAX_WORDS = 6  # of which a message names what cards say

CARDS = click.option("--card", "ids", multiple=True, metavar="ID", help="Use only the card with this id; repeatable.")
WHERE = click.option(
    "--where",
    metavar="EXPRESSION",
    callback=_read_where,
    help="Use only cards for which this holds, such as \"kind == 'spell' and level < 3\".",
)
KEEP_GOING = click.option(
    "--keep-going",
    is_flag=True,
    help="Make the cards that have no error; on sheets, a marked blank stands for each of the others.",
)
DRAFTS = click.option("--drafts", is_flag=True, help="Include drafts in files for others: shops, tables, galleries.")
STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep what is read and drawn in this folder.  [default: the folder of your account for caches]",
)
NO_STORE = click.option("--no-store", is_flag=True, help="Read and draw everything anew, and keep nothing.")
LANGUAGE = click.option(
    "--language",
    metavar="CODE",
    callback=_read_language,
    help="Print the cards in this language, such as de.  [default: those of set.yaml]",
)


def _read_variants(words: str | None) -> tuple[str, ...] | None:
    """Return the variants that are named; None for all, and "" for the cards as they are."""
    names = dict.fromkeys(name for word in (words or PLAIN).split(",") if (name := word.strip()))
    return None if ALL in names else tuple("" if name == PLAIN else name for name in names)


def _read_layers(_context: click.Context, _parameter: click.Parameter, words: str | None) -> Layers:
    names = [name for word in (words or "").split(",") if (name := word.strip())]
    return tuple({name.lstrip("+-"): not name.startswith("-") for name in names}.items())


def _version_options(usual: str) -> dict[str, Callable[[Decorated], Decorated]]:
    return {
        "variants": click.option(
            "--variant",
            "variants",
            metavar="NAME,...",
            callback=lambda _context, _parameter, words: _read_variants(words or usual),
            help="Take these variants of the cards: names, plain for the cards as they are, or all.  "
            "[default: plain; of build and check: all]",
        ),
        "layers": click.option(
            "--layers",
            metavar="+NAME,-NAME,...",
            callback=_read_layers,
            help="Show or leave out these layers of templates, whatever set.yaml says.",
        ),
    }


VERSIONS = gathered(Versions, **_version_options(PLAIN))
"""Give a command the options of variants and layers; it gets the versions as its first argument."""

EACH_VERSION = gathered(Versions, **_version_options(ALL))
"""The same, where all variants of a set are the default."""

_WORTH = 20_000  # bytes of card files: about as many are read in the time that looking them up takes


def store_for(paths: tuple[Path, ...], store: Path | None, *, no_store: bool) -> Store | None:
    """Return the store for what paths mean; None if nothing is to be kept.

    Wrong usage if it would lie in the folder of a set.
    """
    from render.game.folder import find_sources

    sources = [] if no_store else find_sources(paths)[0]
    if not sources:
        return None
    if store and any(store.resolve().is_relative_to(each.folder.resolve()) for each in sources):
        raise click.BadParameter("the store may not lie in the folder of a set", param_hint="--store")
    from render.build.store import store_in  # with SQLite

    return store_in(store, [each.folder for each in sources])


def are_many(paths: tuple[Path, ...]) -> bool:
    """Return whether paths mean so many cards that looking up what is known of them is worth its time."""
    from render.game.folder import find_sources
    from render.game.sources import sets_behind

    size = 0
    for file in (file for each in find_sources(paths)[0] for behind in sets_behind(each) for file in behind.cards):
        with suppress(OSError):  # which is said where it is read
            size += file.stat().st_size
    return size >= _WORTH


def memory_in(store: Store | None, paths: tuple[Path, ...]) -> Memory | None:
    """Return what remembers cards in a store; None if they are few."""
    return store.memory() if store and are_many(paths) else None


Chosen = list[tuple["GameSet", "Drawn"]]
"""Sets with the faces of the selected cards."""

Fit = Callable[["GameSet"], "GameSet"]
"""Gives a set the size of cards that is asked for, and the type of a press if it is drawn for one."""


class CardSelection(Struct, frozen=True):
    """Which cards the command line asks for: those of paths, with the ids, of the kinds and as `where` says, or blank ones of an edition.

    Sets are in `language`; None means each in every language that it declares, and "" each in its own. `variants` and
    `layers` are as in `Versions`.
    """

    paths: tuple[Path, ...]
    ids: tuple[str, ...]
    language: str | None
    where: str = ""
    kinds: tuple[str, ...] = ()
    blanks: Mapping[str, int] = field(default_factory=dict)
    edition: int | None = None
    variants: tuple[str, ...] | None = ("",)
    layers: Layers = ()
    store: Path | None = None
    no_store: bool = False

    @property
    def sheets_name(self) -> str:
        """The name of a file of sheets of these cards: those of some cards do not replace those of all."""
        from render.game.sources import decks_of

        in_files = any(path.is_file() and not decks_of(path) for path in self.paths)
        some = self.ids or self.kinds or self.where or in_files
        return "blank.pdf" if self.blanks else "chosen.pdf" if some else "sheets.pdf"

    def kept(self) -> Store | None:
        """Return the store that may be used."""
        return store_for(check_paths(self.paths), self.store, no_store=self.no_store)

    def chosen(
        self,
        card_size: Size | None = None,
        is_for_press: Callable[[GameSet], bool] = lambda _: False,
        *,
        keep_going: bool = False,
        finish: Callable[[GameSet], Finish | None] = lambda _: None,
        by: Executor | None = None,
    ) -> Chosen:
        """Lay out the cards and print what is doubtful about them. Sets for a press have no type as small as at home.

        `finish` gives what is made of the sides of a set's cards at once. The workers of an executor do both.

        Refused with the findings of all sets: one run says what is wrong in all of them. To keep going, what is wrong
        is printed, marked blanks stand for cards with an error, and the command ends with its status all the same.
        """
        from render.game.cards import for_press

        def fit(card_set: GameSet) -> GameSet:
            if len({part.sheet.card_size for part in card_set.parts}) > 1 and card_size is None:
                message = f"{card_set.name}: the sets have cards of different sizes: choose with --card-size"
                raise click.UsageError(message)
            if card_size:
                card_set = replace(card_set, sheet=replace(card_set.sheet, card_size=card_size))
            return for_press(card_set) if is_for_press(card_set) else card_set

        if self.blanks:
            return [self._blank_cards(fit)]
        if self.edition is not None:
            raise click.UsageError("--edition needs --blank")
        laid_out, findings = self._laid_out(fit, finish, by, keep_going=keep_going)
        # Asked of all sets together: with several, an id need be in only one of them.
        known = [face.card.id for _, drawn in laid_out for face in drawn.faces if self.ids]
        if unknown := [wanted for wanted in self.ids if wanted not in known]:
            hint = did_you_mean(unknown[0], known)
            message = f"there is no card {listed(unknown)}{f': {hint}' if hint else ''}"
            raise click.BadParameter(message, param_hint="--card")
        say_findings(findings)
        if has_errors(findings):
            say(describe_counts(findings))
            end_with_errors()
        if self.ids:
            laid_out = [one for one in only(laid_out, lambda face: face.card.id in self.ids) if one[1].faces]
        if self.kinds:
            laid_out = self._of_kinds(laid_out)
        return self._as_where_says(laid_out) if self.where else laid_out

    def _blank_cards(self, fit: Fit) -> tuple[GameSet, Drawn]:
        """Lay out blank cards in the frames of the set, or in those of the program if there is none."""
        from render.game.faces import lay_out_set
        from render.game.folder import find_sources
        from render.game.registry import DEFAULT, game_named, game_of
        from render.game.sources import declared

        if self.ids or self.kinds or self.where:
            flag = "--card" if self.ids else "--kind" if self.kinds else "--where"
            raise click.UsageError(f"--blank makes only blank cards: leave out {flag}")
        if len(self.paths) > 1:
            raise click.UsageError("blank cards use the frames of one set: give one PATH")
        check_given(self.paths)
        path = self.paths[0] if self.paths else place_here()
        # The folder that is meant may hold no set, as blank cards can be printed before any card is written; one that
        # is named must hold one.
        sets = list(declared(path)) if path and (self.paths or find_sources([path])[0]) else []
        game = game_of(sets[0]) if sets else game_named(DEFAULT)
        try:
            blank_set, note = game.blank_set(sets, self.blanks, self.edition, chosen=bool(self.paths))
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--blank'") from None
        if note:
            say(note)
        blank_set = fit(blank_set)
        drawn = lay_out_set(blank_set)
        say_findings(drawn.findings)
        return blank_set, drawn

    def _laid_out(
        self, fit: Fit, finish: Callable[[GameSet], Finish | None], by: Executor | None, *, keep_going: bool
    ) -> tuple[Chosen, list[Diagnostic]]:
        from render.game.faces import lay_out_set
        from render.game.sources import survey

        paths = check_paths(self.paths)
        if by:  # workers may stand in another folder
            paths = tuple(path.absolute() for path in paths)
        memory = memory_in(self.kept(), paths)
        versions = Versions(self.variants, self.layers)
        sets, findings = survey(paths, self.language, decks=True, memory=memory, versions=versions)
        wordless = next((card_set for card_set in sets if self.language and not card_set.languages), None)
        if wordless:
            message = f"cards of the game `{wordless.game_name}` are in one language only"
            raise click.BadParameter(message, param_hint="--language")
        findings = list(dict.fromkeys(findings))
        if keep_going and sets:
            from render.game.missing_cards import keep_good_cards

            good, findings = keep_good_cards([fit(card_set) for card_set in sets], findings)
            return [(each.card_set, each.drawn) for each in good], findings
        laid_out: Chosen = []
        for card_set in map(fit, sets):
            try:
                drawn = lay_out_set(card_set, finish(card_set), executor=by)
            except Refused as error:
                findings += error.findings
            else:
                laid_out.append((card_set, drawn))
                findings += drawn.findings
        if has_errors(findings):
            from render.game.sets.checking import everything_wrong

            raise Refused(everything_wrong(sets, findings))
        return laid_out, list(dict.fromkeys(findings))

    def _of_kinds(self, group: Chosen) -> Chosen:
        """Keep the cards of the kinds that are asked for, and blanks of cards whose kind is not known."""
        from render.game.cards import UNKNOWN_KIND
        from render.game.registry import game_of

        names = dict.fromkeys(kind for card_set, _ in group for kind in game_of(card_set).kinds)
        names |= dict.fromkeys(str(kind.value) for one, _ in group for kind in game_of(one).new_kinds(one))
        if unknown := [kind for kind in self.kinds if kind not in names]:
            hint = did_you_mean(unknown[0], names) or f"the kinds are {listed([*names], 'and')}"
            raise click.BadParameter(f"there is no kind {listed(unknown)}: {hint}", param_hint="--kind")
        group = only(group, lambda face: face.card.kind.value in (*self.kinds, UNKNOWN_KIND.value))
        group = [one for one in group if one[1].faces]
        if not group:
            raise click.BadParameter(f"there is no card of the kind {listed(self.kinds)}", param_hint="--kind")
        return group

    def _as_where_says(self, group: Chosen) -> Chosen:
        """Keep the cards that fit, and blanks of cards with an error, of which nobody knows."""
        from render.game.cards import MissingCard

        cards = (face.card for _, drawn in group for face in drawn.faces)
        fits = fitting(self.where, (card for card in cards if not isinstance(card, MissingCard)))
        group = only(group, lambda face: isinstance(face.card, MissingCard) or fits(face.card))
        return [one for one in group if one[1].faces]


wanted_cards = gathered(
    CardSelection,
    paths=PATHS,
    ids=CARDS,
    kinds=click.option(
        "--kind", "kinds", multiple=True, metavar="KIND", help="Use only cards of this kind; repeatable."
    ),
    where=WHERE,
    blanks=click.option(
        "--blank",
        "blanks",
        multiple=True,
        metavar="KIND:COUNT",
        callback=_read_blanks,
        help="Make only blank cards of this kind, to fill in by hand; repeatable.",
    ),
    edition=click.option(
        "--edition",
        type=click.IntRange(1, 999),
        help="Edition of the blank cards.  [default: the set's, else the newest]",
    ),
    language=LANGUAGE,
    **_version_options(PLAIN),
    store=STORE,
    no_store=NO_STORE,
)
"""Give a command the arguments that select cards; it gets them as its first argument."""


def only(group: Chosen, is_wanted: Callable[[Faces], bool]) -> Chosen:
    """Return sets with only those of their faces that are wanted."""
    return [(card_set, replace(drawn, faces=tuple(filter(is_wanted, drawn.faces)))) for card_set, drawn in group]


def without_drafts(group: Chosen) -> Chosen:
    """Return sets without the cards that are drafts, and print which these are; wrong usage if there are no others."""
    names = [face.card.id for _, drawn in group for face in drawn.faces if face.card.draft]
    if not names:
        return group
    group = [one for one in only(group, lambda face: not face.card.draft) if one[1].faces]
    if not group:
        raise click.UsageError("every card is a draft: judge them and remove `draft`, or give --drafts")
    more = f" and {len(names) - _MAX_DRAFTS} more" if len(names) > _MAX_DRAFTS else ""
    which = ", ".join(f"`{name}`" for name in names[:_MAX_DRAFTS])
    say(f"left out as {'a draft' if len(names) == 1 else 'drafts'}: {which}{more}; --drafts uses them, too")
    return group


_MAX_DRAFTS = 10  # that are named


def say_missing(card_set: GameSet) -> None:
    """Print which cards of a set have an error and were not made, if there are any."""
    if card_set.missing:
        from render.game.missing_cards import describe_missing

        say(f"  {describe_missing(card_set)}")


# What is made of the chosen cards, where, and what must not meet in one folder.
@overload
def place_outputs(chosen: Chosen, out: Path | None, name: str) -> list[tuple[Chosen, Path, Path | None]]: ...
@overload
def place_outputs(chosen: Chosen, out: Place | None, name: str) -> list[tuple[Chosen, Place, Path | None]]: ...
def place_outputs(chosen: Chosen, out: Place | None, name: str) -> Sequence[tuple[Chosen, Place, Path | None]]:
    """Return the sets whose outputs go to one place, the place, and the folder below which no link is followed.

    All go to `out` if it is given; else each goes to `name` in `out/<set's folder name>`, for another language than the
    set's own in the folder of that name in it. Wrong usage if two of these would overwrite each other.
    """
    if out is not None:
        return [(chosen, out, None)]
    check_folders_differ(chosen)
    below = outputs_here()
    return [([one], below / one[0].output_name / one[0].subfolder / name, below) for one in chosen]


def job_of(group: Chosen) -> PrintJob:
    """Return the job to print; wrong usage if there is no copy at all."""
    from render.exports.print_files import PrintJob

    job = PrintJob(tuple(card_set for card_set, _ in group), tuple(face for _, drawn in group for face in drawn.faces))
    if not any(face.card.copies for face in job.faces):
        raise click.UsageError(f"{job.title}: every card has `copies: 0`, so there is nothing to print")
    return job


def sized_jobs(job: PrintJob, options: SheetOptions) -> list[SizedJob]:
    """Return a job in parts of one trim size; wrong usage if cards do not fit the paper."""
    from render.exports.print_files import by_size
    from render.sheets.cutting import misfit

    sized = by_size(job, options)
    for each in sized:
        if wrong := misfit(each.options):
            raise click.UsageError(wrong[0])
    return sized


def write_pieces(
    outputs: Iterable[tuple[Chosen, Path, Path | None]],
    asked: Asked,
    draw: Callable[[SizedJob, Chosen], tuple[Sequence[Piece], str, Sequence[str]]],
) -> None:
    """Write what is cut out and is no card, such as boxes, for the cards of each size, with its cuts; and say so.

    `draw` gives the pieces, what they are, and what else to say; its ValueError is wrong usage. Each output is as
    `place_outputs` gives it. All are checked before the first is written.
    """
    from render.base.files import replace_files
    from render.exports import box_files
    from render.exports.print_files import by_size, printable_title, shared_options, sheet_options
    from render.sheets.cutting import registration_marks
    from render.sheets.options import SheetOptions

    keys = (*PIECE_KEYS, "bleed_from", "art_dpi")  # what else a set says of its sheets concerns its cards
    made = []
    for group, file, below in outputs:
        job = job_of(group)
        try:
            given = ({key: getattr(each, key) for key in keys} for each in sheet_options(job.sets))
            for part in by_size(job, shared_options(SheetOptions(**{**each, **asked}) for each in given)):
                pieces, what, more = draw(part, group)
                try:
                    grid = box_files.fit(pieces[0].net.size, part.options, only=len(pieces) == 1)
                except ValueError as error:
                    raise ValueError(f"{what}: {error}") from None
                made.append((job, pieces, grid, what, more, part.file(file), below))
        except ValueError as error:
            raise click.UsageError(f"{job.title}: {error}") from None
    for job, pieces, grid, what, more, file, below in made:
        words = " · ".join(filter(None, (printable_title(job.sets), what, grid.options.date)))
        files = box_files.files(pieces, grid, f"{job.title}: {what}", words, file)
        replace_files([(name, partial(bytes, data)) for name, data in files.items()], below)
        _, first, *_, last = (name.name for name in files)
        say(f"{job.title}: {what} in {file}", *(f"  {line}" for line in more))
        say(f"  cuts for a machine: {first} {'and' if len(files) == 3 else 'to'} {last}")
        if marks := registration_marks(grid):
            say(f"  {marks.words}")


def options_for(sets: Sequence[GameSet], asked: Asked) -> tuple[SheetOptions, Calibration | None]:
    """Return how the sheets are made, from command line, sets and defaults, and the calibration of the printer named.

    Wrong usage if that is impossible, or if the calibration is for other sheets.
    """
    from render.exports.print_files import shared_options, sheet_options
    from render.sheets.cutting import misfit

    try:
        options = shared_options(replace(each, **asked) for each in sheet_options(sets))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if wrong := misfit(options):  # which otherwise would come up while files are written
        raise click.UsageError(wrong[0])
    # Only if asked for here: a set that says so may go to a press by `kotc shop`.
    if asked.get("rich_black") and not options.for_press:
        raise click.UsageError("--rich-black needs --standard x-1a or x-4")
    say_doubts(options, asked.keys())  # those of the sets are said where these are read
    if not options.printer:
        return options, None
    from render.sheets.calibration.printers import calibration_of
    from render.sheets.options import Backs

    try:
        if asked.get("printer") and options.backs in (Backs.FOLD, Backs.NONE):
            raise ValueError(f"sheets with `backs: {options.backs.value}` have no back side")
        return options, calibration_of(options)
    except ValueError as error:
        if asked.get("printer"):
            raise click.BadParameter(str(error), param_hint="--printer") from None
        message = f"`printer` under `sheet`: {error}"
        raise click.UsageError(f"{message}; --printer none makes sheets without a correction") from None


def check_folders_differ(group: Chosen) -> None:
    """Refuse two sets or decks whose outputs would have a folder of the same name, and overwrite each other."""
    from render.build.session import clash_of_names

    if clash := clash_of_names([card_set for card_set, _ in group]):
        raise click.UsageError(clash)


def check_ids_in_decks(group: Chosen) -> None:
    """Refuse decks in which cards of two sets have one id, if each card gets a file of its own."""
    from render.game.cards import same_id

    for card_set, drawn in group:
        ids = [face.card.id for face in drawn.faces]
        twice = next((name for number, name in enumerate(ids) if name in ids[:number]), None) if card_set.deck else None
        if twice:
            raise click.UsageError(f"{card_set.name}: {same_id(card_set, twice)}")


def check_one_version(group: Chosen) -> None:
    """Refuse one set in several languages or variants if all go into one folder."""
    for card_set in {each.origin: each for each, _ in reversed(group)}.values():  # each as its own language calls it
        same = [other for other, _ in group if other.origin == card_set.origin]
        if any(other.language != card_set.language for other in same):
            both = f"`{card_set.name}` is printed in {listed(card_set.languages, 'and')}"
            raise click.UsageError(f"{both}, and one folder takes one of them: choose it with --language")
        if any(other.variant != card_set.variant for other in same):
            names = listed([other.variant.name or PLAIN for other in same], "and")
            each = f"`{card_set.name}` is printed as {names}"
            raise click.UsageError(f"{each}, and one folder takes one of them: choose it with --variant")


def check_ids_differ(group: Chosen) -> None:
    """Refuse two sets with the same card if all go into one folder."""
    check_one_version(group)
    check_ids_in_decks(group)
    seen: dict[str, GameSet] = {}
    for card_set, drawn in group:
        for face in drawn.faces:
            other = seen.setdefault(face.card.id, card_set)
            if other is not card_set:
                both = f"`{other.name}` and `{card_set.name}` both have a card `{face.card.id}`"
                raise click.UsageError(f"{both}: write each set into its own folder")
