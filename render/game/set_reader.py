"""Load sets: from paths to cards, with everything wrong on the way.

This module reads what `set.yaml` says for every game; the set's game reads the rest of it, and the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import replace
from functools import partial
from pathlib import Path

from render.base.codes import CodeChoice, read_codes
from render.base.files import Paths, as_paths
from render.base.findings import Finding, Problem, Refused, Span, has_errors, sort_findings
from render.game import ids, registry
from render.game.card_keys import CARD, CardReading, Surroundings, read_back
from render.game.cards import CardBacks, FlawedCard, GameCard, GameSet
from render.game.folder import (
    GAME_FILE,
    SET_FILE,
    SetFiles,
    find_sets,
    is_game,
    is_table,
    may_have_languages,
    misnamed_game,
)
from render.game.home import Home
from render.game.registry import AnyGame
from render.sheets.cutting import registration_marks
from render.sheets.imposition import fit_grid
from render.sheets.option_table import KEYS as SHEET_KEYS
from render.sheets.option_table import OPTIONS
from render.sheets.options import SheetOptions, option_doubts
from render.sheets.output_options import USUAL, Outputs
from render.source import reader as source
from render.source.fields import Fields, FileKind
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence

KEYS = ("game", "name", "back", "sheet", "outputs", "select", "ignore")
"""The keys that `set.yaml` has in every game."""

_SET = FileKind(
    "S",
    "set",
    {"name": "Starter"},
    {
        "title": ("name",), "author": ("credit",), "lang": ("language",), "output": ("outputs",), "sheets": ("sheet",),
        "print": ("sheet",), "pdf": ("sheets",), "pngs": ("png",), "images": ("png",), "pictures": ("png",),
        "jpg": ("png",), "html": ("gallery",), "page": ("gallery",),
    },
)  # fmt: skip
_OUTPUT_KEYS = ("png", "sheets", "shops", "gallery", "dpi")
LARGEST_SET = 16 << 20  # characters: thirty thousand long cards

TextsOfFiles = MappingOf[Path, str]


def load_sets(paths: Paths, language: str = "") -> list[GameSet]:
    """Return the sets that the paths mean; Refused with all findings of all files if there is an error.

    Their cards are in the language, if one is named, else in the set's own.
    """
    sets, findings = survey(as_paths(paths), language)
    if has_errors(findings):
        raise Refused(findings)
    return sets


def survey(paths: Iterable[Path], language: str | None = "") -> tuple[list[GameSet], list[Finding]]:
    """Return every set that could be read, with its sound cards, and all findings in order.

    With a language, sets are printed in it; with None, each comes once for every language that it declares. Usually
    each is in its own language.
    """
    found_sets, findings = find_sets(paths)
    sets = []
    findings += [_no_decks(files.deck) for files in found_sets if files.deck]
    only_sets = (files for files in found_sets if not files.deck)
    for files in (each for some in only_sets for each in in_languages(some, language)):
        card_set, of_set = read_set(files)
        findings += of_set
        sets += [card_set] if card_set else []
    return sets, sort_findings(findings)


def _no_decks(deck: Path) -> Finding:
    return Problem("P008", f"`{deck}` is a deck, and sets are needed here", "give the folders of its sets").at()


def in_languages(files: SetFiles, language: str | None) -> list[SetFiles]:
    """Return the files of a set once for each language in which it is to be printed: the one named; all for None."""
    if not (language or (language is None and may_have_languages(files))):
        return [files]
    declared = _SetReader(files, {}).declared()
    own, *others = declared.languages if declared and declared.languages else ("",)
    if language:
        return [files if language == own else replace(files, language=language)]
    return [files, *(replace(files, language=each) for each in others)]


def read_set(files: SetFiles, texts: TextsOfFiles | None = None) -> tuple[GameSet | None, list[Finding]]:
    """Return the set with its sound cards, and all findings; None if its own file cannot be read.

    Files with a text in `texts` are read as if they held that text.
    """
    reader = _SetReader(files, texts or {})
    card_set = reader.read()
    findings = card_set.codes.of_files(reader.findings) if card_set else reader.findings
    return card_set, sort_findings(findings)


def declared(path: Path) -> Iterator[GameSet]:
    """Yield the sets that a path means, without their cards; Refused with what is wrong in a set's own file."""
    found_sets, findings = find_sets([path])
    if not found_sets:
        raise Refused(findings)
    for files in found_sets:
        reader = _SetReader(files, {})
        card_set = reader.declared()
        if card_set is None or has_errors(reader.findings):
            raise Refused(reader.findings)
        yield card_set


def read_some(card_set: GameSet, text: str, file: Path) -> list[GameCard]:
    """Return the cards that a text holds, as cards of a set, as far as each is sound by itself.

    The text need not be the whole file: this is for a first look, before `read_set` reads all. Refused if it cannot
    be read.
    """
    document = source.read_as(text, file)
    read = registry.game_of(card_set).card_reader(Surroundings(card_set, Home(card_set.folder), sound=True))
    readings = [read(document, node) for node in _items(document) if isinstance(node, Mapping)]
    completed = (each.complete() if each.complete else each.card for each in readings if not has_errors(each.findings))
    return [card for card in completed if isinstance(card, GameCard)]


def read_cards(card_set: GameSet, document: Document, nodes: Iterable[Node]) -> Iterator[GameCard | None]:
    """Yield the card of each node of a card file of the set, as it is alone; None for one with an error."""
    around = Surroundings(card_set, Home(card_set.folder), sound=True)
    read = registry.game_of(card_set).card_reader(around)
    for node in nodes:
        reading = read(document, node) if isinstance(node, Mapping) else None
        card = reading.card if reading else None
        # Numbers that do not follow from the rules are left out; the card is there all the same.
        completed = reading.complete() if reading and card and reading.complete else card
        yield completed if isinstance(completed, GameCard) else card


def game_in(files: SetFiles) -> AnyGame:
    """Return the game of a set, without reading its cards; the default game if its own file cannot be read."""
    try:
        root = source.read(files.folder / SET_FILE, files.folder).root
    except Refused:
        return registry.game_named(registry.DEFAULT)
    named = root.get("game") if isinstance(root, Mapping) else None
    if isinstance(named, Scalar) and named.value in registry.names():
        return registry.game_named(named.value)
    word = named.value if isinstance(named, Scalar) else ""
    return _written_game(word, files.folder) or registry.game_named(registry.DEFAULT)


def _written_game(word: str, folder: Path) -> AnyGame | None:
    """Return the game that `game: word` of a set in this folder means, if it is written in YAML and sound."""
    if not (word or is_game(folder / GAME_FILE)):
        return None
    written = registry.written_games()
    home = written.folder_named(word, folder) if word else folder
    return written.game_in_folder(home)[0] if home else None


def game_of_file(fields: Fields) -> AnyGame | None:
    """Return the game that a set or a deck says it belongs to; None, and why in the findings, if that is wrong."""
    folder, node = fields.document.file.parent, fields.values.get("game")
    beside = is_game(folder / GAME_FILE)
    word = node.value if isinstance(node, Scalar) else ""
    if node is None and not beside and (misnamed := misnamed_game(folder)):
        message, hint = (
            f"`{misnamed.name}` is not read: a game is written in `{GAME_FILE}`",
            f"rename it to `{GAME_FILE}`",
        )
        fields.add(Problem(f"{fields.family}033", message, hint), Span(file=misnamed))
        return None
    if word in registry.names() or not (beside or word):
        return registry.game_named(fields.word("game", registry.names(), registry.DEFAULT))
    written = registry.written_games()
    if node is not None and not isinstance(node, Scalar):
        fields.expected("game", "a game, or the folder of one", "write for example `game: ../my-game`")
        return None
    if node is None:
        game, findings = written.game_in_folder(folder)
        fields.findings += findings
        return game
    if written.is_folder(word) or (folder / word / GAME_FILE).is_file():
        return written.named_game(fields, folder)
    fields.word("game", registry.names(), "")
    if fields.findings and not fields.findings[-1].hint:
        hint = f"name a game that comes with the program, or a folder with a `{GAME_FILE}`, such as `../{word}`"
        fields.findings[-1] = fields.findings[-1].saying(hint=hint)
    return None


class _SetReader:
    """Reads one set. A file that cannot be read hides no mistake in the others."""

    def __init__(self, files: SetFiles, texts: TextsOfFiles) -> None:
        self.findings: list[Finding] = []
        self._files, self._texts = files, texts
        self._flawed: list[FlawedCard] = []
        self._home = Home(files.folder)
        self._game: AnyGame | None = None

    def read(self) -> GameSet | None:
        """Return the set with its sound cards; None if its own file cannot be read."""
        declared = self.declared()
        if self._game is None:  # nothing can be said of cards of an unknown game
            return None
        # Another set stands in for one whose own file cannot be read: mistakes in its cards are found all the same.
        card_set = declared or self._game.new_set(self._files.folder, self._files.folder.name)
        cards = tuple(self._cards(self._game, Surroundings(card_set, self._home, not has_errors(self.findings))))
        if any(map(is_table, self._files.cards)):
            from render.source.tables.headings import said_once  # noqa: PLC0415 - as for `read_table`

            self.findings = said_once(self.findings)
        ordered = tuple(self._game.ordered(cards))
        return replace(card_set, cards=ordered, flawed=tuple(self._flawed)) if declared else None

    def declared(self) -> GameSet | None:
        """Return the set without its cards; None if its own file cannot be read."""
        document = self._document(self._files.folder / SET_FILE)
        if document is None:
            self._game = game_in(self._files)
            return None
        if not isinstance(document.root, Mapping):
            self.findings.append(_SET.no_mapping(document, document.root))
            self._game = game_in(self._files)
            return None
        fields = Fields(document=document, node=document.root, kind=_SET, findings=self.findings)
        self._game = game = game_of_file(fields)
        return None if game is None else _card_set(fields, self._files, self._home, game)

    def _cards(self, game: AnyGame, around: Surroundings) -> Iterator[GameCard]:
        before = len(self.findings)
        documents = list(self._documents())
        unread = has_errors(self.findings[before:])
        nodes = [(document, node) for document in documents for node in _items(document)]
        read = game.card_reader(around)
        claims: list[ids.Claim] = []
        claimed: set[str] = set()
        for document, node in nodes:
            if not isinstance(node, Mapping):
                self.findings.append(CARD.no_mapping(document, node))
                continue
            reading = read(document, node)
            self.findings += reading.findings
            claims += [reading.claim] if reading.claim else []
            if reading.card and reading.card.id not in claimed:
                claimed.add(reading.card.id)
                yield from self._completed(reading)
            else:
                self._note_flawed(reading)
        self.findings += ids.collisions(claims)
        # A file that could not be read may hold cards.
        if not nodes and not unread:
            folder = self._files.folder
            usual = f"write a card into a file such as `{folder / 'cards.yaml'}`"
            hint = self._without_cards() or _misnamed(folder) or usual
            place = Span(file=self._files.folder / SET_FILE)
            self.findings.append(Problem("S021", "the set has no cards", hint).at(place))

    def _without_cards(self) -> str:
        """Return the hint for a spreadsheet that is no card file; "" if there is none."""
        table = next(filter(is_table, self._files.cards), None)
        if table is None:
            return ""
        if self._document(table):
            return f"write a card into the second row of `{table}`, below the header"
        return f"`{table}` holds no cards: its first row has no heading `name`"

    def _note_flawed(self, reading: CardReading) -> None:
        """Remember a card with a mistake, so that its other mistakes are told in the same run."""
        # Of cards with one id, only the first is sound.
        flawed = reading.flawed or (FlawedCard(reading.card, judged=True) if reading.card else None)
        if flawed and flawed.judged and reading.complete:
            result = reading.complete()
            if not isinstance(result, GameCard):
                self.findings += result
                return
            flawed = replace(flawed, card=result)
        self._flawed += [flawed] if flawed else []

    def _documents(self) -> Iterator[Document]:
        """Yield the card files as they are read, until together they are too large."""
        size = 0
        for file in self._files.cards:
            document = self._document(file)
            size += len(document.text) if document else 0
            # Asked after each file: to read all of them first could take all memory.
            if size > LARGEST_SET:
                message = f"the card files of the set are larger than {LARGEST_SET >> 20} MiB together"
                self.findings.append(Problem("S022", message, "split the set into several").at(Span(file=file)))
                return
            if document:
                yield document

    def _completed(self, reading: CardReading) -> Iterator[GameCard]:
        """Yield the card with what it leaves to the rules; findings instead if these do not tell."""
        result = reading.complete() if reading.complete else reading.card
        if isinstance(result, GameCard):
            yield result
        elif result is not None:
            self.findings += result
            self._flawed += [FlawedCard(reading.card, judged=False)] if reading.card else []

    def _document(self, file: Path) -> Document | None:
        """Return what can be read of a file."""
        if is_table(file):
            from render.source.tables.reading import read_table  # noqa: PLC0415 - most sets have no spreadsheet

            read = read_table(file, self._files.folder)
            document, findings = read.document, [*read.findings]
        elif file in self._texts:
            document, findings = source.read_as_partly(self._texts[file], file)
        else:
            document, findings = source.read_partly(file, self._files.folder)
        self.findings += findings
        if document and file.name != SET_FILE:
            document, findings = _without_heading(document)
            self.findings += findings
        return document


def _items(document: Document) -> tuple[Node, ...]:
    return document.root.items if isinstance(document.root, Sequence) else (document.root,)


def _without_heading(document: Document) -> tuple[Document, list[Finding]]:
    """Return a file without a key above its list of cards, such as `cards:`, and what is said of that key."""
    root = document.root
    if not isinstance(root, Mapping) or len(root.entries) != 1:
        return document, []
    key, cards = root.entries[0]
    if not isinstance(cards, Sequence) or not any(isinstance(item, Mapping) for item in cards.items):
        return document, []
    hint = f"remove the line `{key.value}:`; the file begins with the `- ` of its first card"
    message = f"a card file is a list of cards, without `{key.value}:` above it"
    return replace(document, root=cards), [Problem("C001", message, hint).at(document.span(key))]


def _card_set(fields: Fields, files: SetFiles, home: Home, game: AnyGame) -> GameSet:
    """Return what set.yaml declares; defaults in place of mistakes, so that the cards can be checked."""
    folder = files.folder
    fields.check_keys((*KEYS, *game.set_keys), partial(_misplaced, fields))
    fields.note_cut_off()
    defaults = game.new_set(folder, fields.words("name") or folder.name)
    sheet = fields.inner("sheet")
    if sheet is not None:
        sheet.check_keys(SHEET_KEYS)
    options = _sheet(sheet) if sheet else defaults.sheet
    common = replace(
        defaults,
        language=files.language,
        source=(fields.document, fields.node),
        backs=_backs(fields, home, game, defaults.backs),
        sheet=options,
        outputs=_outputs(fields, options),
        codes=CodeChoice(_codes(fields, "select"), _codes(fields, "ignore")),
    )
    whole: GameSet = game.read_set(fields, common)
    return whole


def _misplaced(fields: Fields, key: str) -> tuple[str, str, str] | None:
    """Return what is said of a key of `set.yaml` that belongs somewhere else, as `Fields.check_keys` asks for it."""
    if key in ("cards", "card"):
        return (
            f"`{key}` is no key of set.yaml",
            "write cards into files of their own beside it, such as `cards.yaml`",
            "",
        )
    place = "sheet" if key in SHEET_KEYS else "outputs" if key in _OUTPUT_KEYS else ""
    if not place:
        return None
    node = fields.values[key]
    value = node.value if isinstance(node, Scalar) and node.value else "..."
    return f"`{key}` belongs below `{place}`", f"write `{place}: {{{key}: {value}}}`", ""


def _codes(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the codes of a key such as `ignore: [V003, K]`; one may be written without brackets."""
    node = fields.values.get(key)
    if node is None:
        return ()
    if isinstance(node, Mapping):
        fields.expected(key, "codes", f"write `{key}: [V003, K]`")
        return ()
    found: list[str] = []
    for each in node.items if isinstance(node, Sequence) else (node,):
        written = each.value if isinstance(each, Scalar) else ""
        try:
            found += read_codes([written])
        except ValueError as error:
            message, _, hint = str(error).partition(": ")
            fields.note("007", message, fields.document.span(each), hint, key)
    return tuple(found)


def _outputs(fields: Fields, sheet: SheetOptions) -> Outputs:
    if "outputs" not in fields.values:
        return USUAL
    from render.shops.declared_outputs import read_outputs  # noqa: PLC0415 - the print shops are read for it

    return read_outputs(fields, sheet.card_size)


def _backs(fields: Fields, home: Home, game: AnyGame, usual: CardBacks) -> CardBacks:
    """Return one back for all cards, or those of the kinds that are named; other kinds have the usual ones."""
    node = fields.values.get("back")
    if node is None:
        return usual
    if not isinstance(node, Mapping):
        if isinstance(node, Sequence):
            hint = f"write `back: {{{game.kinds[0]}: back, {game.kinds[-1]}: none}}`"
            fields.expected("back", "a back, or a back for each kind", hint)
            return CardBacks()
        return CardBacks(read_back(fields, "back", CardBacks().every, home))
    inner = fields.within("back", node)
    inner.check_keys([kind for kind in game.kinds if kind not in game.two_sided], partial(_of_two_sides, game))
    every = usual.every
    named = [kind for kind in game.kinds if kind in inner.values and kind not in game.two_sided]
    own = {kind: read_back(inner, kind, every, home) for kind in named}
    return CardBacks(every, tuple({**dict(usual.of_kind), **own}.items()))


def _of_two_sides(game: AnyGame, kind: str) -> tuple[str, str, str] | None:
    """Return what is said of the back of a kind whose cards have two sides, as `Fields.check_keys` asks for it."""
    if kind not in game.two_sided:
        return None
    return f"the cards of the kind `{kind}` have two sides of their own", "remove it: their game draws both", ""


def _sheet(fields: Fields) -> SheetOptions:
    """Return how the set's sheets are made; the defaults if that is wrong or does not fit the paper."""
    count = len(fields.findings)
    values = sheet_values(fields)
    return SheetOptions() if len(fields.findings) > count else checked_sheet(fields, values, SheetOptions())


def sheet_values(fields: Fields) -> dict[str, object]:
    """Return the values of the options of sheets that are given; none if one is wrong, which is noted."""
    count = len(fields.findings)
    asked = [option for option in OPTIONS if option.key in fields.values]
    values = {option.key: fields.read(option.key, option.read, option.values, option.words) for option in asked}
    return values if len(fields.findings) == count else {}


def checked_sheet(fields: Fields, values: MappingOf[str, object], usual: SheetOptions) -> SheetOptions:
    """Return `usual` with these values, and note what is doubtful; `usual` itself if they do not fit the paper."""
    options = replace(usual, **values)  # type: ignore[arg-type] # each was read by its option
    for doubt in option_doubts(options):
        key = next((key for key in doubt.keys if key in fields.values), None)
        if key:  # no default is doubtful, and those of a deck's sets are said where these are read
            fields.findings.append(doubt.problem.at(fields.place(key), field=f"sheet.{key}"))
    wrong = misfit(options)
    if wrong is None:
        return options
    message, blamed = wrong
    # A finding stands where the author wrote something, and an option that is left out stands nowhere.
    key = next((key for key in blamed if key in values), next(iter(values)))
    fields.note("007", message, fields.place(key), key=key)
    return usual


def misfit(options: SheetOptions) -> tuple[str, tuple[str, ...]] | None:
    """Return what does not fit on the paper, and its keys; the first one given should be changed."""
    try:
        grid = fit_grid(options)
    except ValueError as error:
        return str(error), ("grid", "paper", "card_size", "margin")
    try:
        registration_marks(grid)
    except ValueError as error:
        return str(error), ("registration",)
    return None


_ENDINGS = (".txt", ".json", ".yaml.txt", ".yml.txt")  # of card files that are not seen as such


def _misnamed(folder: Path) -> str:
    """Return the hint for a file that seems to hold the cards of a set without any; "" if there is none."""
    for name in (f"cards{ending}" for ending in _ENDINGS):
        if (folder / name).is_file():
            return f"card files end with `.yaml`: rename `{folder / name}` to `{folder / 'cards.yaml'}`"
    return ""
