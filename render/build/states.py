"""Sets and decks at one time: in the working folder, in another one, at a revision of git, or as a build remembers them.

Paths in what is found are told from the root of a state, so that those of two states are the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Finding, Refused, sort_findings
from render.base.reach import read_bounded
from render.build import git_revision
from render.build import manifest as manifests
from render.build.compare import SetDigests, UnusableError, baseline_in, digest_set
from render.build.git_revision import GitRevision, NoRevisionError
from render.build.manifest import MANIFEST, Manifest
from render.game.cards import GameCard, GameSet
from render.game.decks import deck_file
from render.game.decks.deck_file import DeckFile
from render.game.faces import lay_out_possible
from render.game.folder import TABLES, decks_near, find_sources
from render.game.home import EVERY_VERSION
from render.game.registry import games
from render.game.sets.checking import check_read, judge_sets
from render.game.sources import survey

SetKey = tuple[str, str]
"""The path of a set from the root of its state, and the language in which it is printed; "" for its own."""

WORKING_TREE = "the working tree"

_TEXTS = (".yaml", ".yml", *TABLES)  # decks, and the cards that they name


class SetState(Struct, frozen=True, kw_only=True):
    """A set at one time: its cards by id, flawed ones too, and the looks of those that could be drawn.

    `broken` are the ids of the others. Of a build's memory, there are no cards, but the `memory`, which lies in `folder`.
    """

    looks: SetDigests
    folder: Path
    card_set: GameSet | None = None
    cards: Mapping[str, GameCard] = {}
    broken: frozenset[str] = frozenset()
    memory: Manifest | None = None


class State(Struct, frozen=True, kw_only=True):
    """Sets and decks at one time, which people call `name`, and everything wrong or doubtful about them.

    `here` is the folder in which the user would be: rules are looked for there. `lacking` says what git does not hold.
    """

    name: str
    root: Path
    here: Path
    sets: Mapping[SetKey, SetState] = {}
    decks: Mapping[str, DeckFile] = {}
    findings: tuple[Finding, ...] = ()
    lacking: tuple[str, ...] = ()

    def label(self, path: Path) -> str:
        """Return a path from the root, with `/`."""
        return Path(os.path.relpath(self.here / path, self.root)).as_posix()

    def told(self, finding: Finding) -> Finding:
        """Return a finding with its paths from the root."""
        message, hint = (words.replace(f"{self.root}{os.sep}", "") for words in (finding.message, finding.hint))
        span = finding.span and replace(finding.span, file=Path(self.label(finding.span.file)))
        return replace(finding, message=message, hint=hint, span=span)


@contextmanager
def two_states(given: str, paths: Sequence[Path]) -> Iterator[tuple[State, State]]:
    """Give the states before and after: `given` are `BASE..HEAD`, a revision, a folder, or a build's memory.

    The paths are those of the sets, or of the one other folder. UnusableError if they mean nothing that can be compared,
    Refused if a manifest is none, OSError.
    """
    places = [Path(os.path.realpath(path)) for path in paths]
    path, here = Path(given), Path.cwd()
    is_path = ".." in path.parts
    if not is_path and (".." in given or not path.exists()):
        with TemporaryDirectory(prefix="kotc-") as folder:
            yield _revisions(given, places, Path(os.path.realpath(folder)))
    elif not path.exists():
        raise UnusableError(f"there is no `{given}`")
    elif path.is_dir() and find_sources([path])[0]:
        if len(places) != 1:
            raise UnusableError(f"`{given}` is a folder of sets: give the one folder to compare it with")
        old, new = Path(os.path.realpath(path)), places[0]
        yield _read(given, [old], old, here), _read(str(paths[0]), [new], new, here)
    else:
        now = _read(WORKING_TREE, places, here, here)
        yield _remembered(path, now), now


@contextmanager
def state_at(name: str, at: GitRevision, paths: Sequence[Path]) -> Iterator[State]:
    """Give sets at a revision that people call `name`, not judged; if that is "", in the work tree of its repository; OSError."""
    places, top = [Path(os.path.realpath(path)) for path in paths], Path(os.path.realpath(at.repository))
    with TemporaryDirectory(prefix="kotc-") as folder:
        place = Path(os.path.realpath(folder))
        if name:
            yield _read_revision(name, at, places, place, judged=False)
        else:
            yield _read(WORKING_TREE, places, top, Path.cwd(), judged=False)


def find_revisions(names: Sequence[str], paths: Sequence[Path]) -> list[GitRevision]:
    """Return revisions of the repository in which sets lie; UnusableError if one is none, or a set lies elsewhere; OSError."""
    places = [Path(os.path.realpath(path)) for path in paths]
    near = next(each for each in (places[0], *places[0].parents) if each.is_dir())
    found = [_found(near, name) for name in names]
    top = Path(os.path.realpath(found[0].repository))
    if outside := next((place for place in places if not place.is_relative_to(top)), None):
        raise UnusableError(f"`{outside}` lies outside of the repository `{top}`")
    return found


def _read(name: str, places: Sequence[Path], root: Path, here: Path, *, judged: bool = True) -> State:
    """Return the sets at these places, as far as they are there; if they are `judged`, with all that `check` finds.

    Then it has the decks near that use them, too.
    """
    state = State(name=name, root=root, here=here)
    with chdir(here):
        there = [place for place in places if place.exists()]
        read, findings = survey(there, None, versions=EVERY_VERSION)
        decks = _decks_near(state, read) if judged else {}
        if judged:
            findings = [
                *check_read(read, findings).findings,
                *_of_decks([file for file, whole in decks.items() if whole]),
            ]
        sets = {(state.label(each.folder), each.subfolder): _looked_at(each) for each in read}
        lines = {}
        for file in decks:
            try:
                lines[state.label(file)] = deck_file.read(file)
            except Refused:  # which is told among the findings
                continue
    found = sort_findings(state.told(finding) for finding in findings)
    return replace(state, sets=sets, decks=lines, findings=tuple(found))


def _decks_near(state: State, sets: Sequence[GameSet]) -> dict[Path, bool]:
    """Return the decks near sets that use them, and whether they use no other ones."""
    homes = {Path(os.path.realpath(each.folder)) for each in sets}
    decks = {}
    for file in (Path(os.path.realpath(each)) for each in decks_near(homes)):
        used = [Path(os.path.realpath(each.folder)) for each in find_sources(deck_file.read_sets(file))[0]]
        if file.is_relative_to(state.root) and homes.intersection(used):
            decks[file] = homes.issuperset(used)
    return decks


def _of_decks(files: Sequence[Path]) -> list[Finding]:
    """Return what is found in decks themselves: what is wrong with their sets is said with these."""
    decks, findings = survey(files, decks=True)
    try:
        findings += judge_sets(decks)
    except Refused as refused:
        findings += refused.findings
    return [each for each in findings if each.span and each.span.file in files]


def _looked_at(card_set: GameSet) -> SetState:
    drawn = lay_out_possible(card_set)
    cards = {card.id: card for card in (*card_set.cards, *(each.card for each in card_set.flawed))}
    broken = {*cards, *(each.id for each in card_set.unread)} - {each.card.id for each in drawn.faces}
    looks = _of_all(digest_set(card_set, drawn.faces))
    return SetState(looks=looks, folder=card_set.folder, card_set=card_set, cards=cards, broken=frozenset(broken))


def _of_all(looks: SetDigests) -> SetDigests:
    """Return the looks with a copy at least of each card: those that are not printed are looked at all the same."""
    return replace(looks, cards={name: each._replace(copies=max(each.copies, 1)) for name, each in looks.cards.items()})


# --- revisions, and what a build remembers ----------------------------------------------------------------------------


def _revisions(given: str, places: Sequence[Path], folder: Path) -> tuple[State, State]:
    """Return the states at both ends of a range of revisions; without a second one, the working tree is the end."""
    dots = "..." if "..." in given else ".."
    base, _, head = given.partition(dots)
    base = base or "HEAD"
    first, *others = find_revisions([base, *([head] if head else [])], places)
    second = next(iter(others), None)
    name, top, here = base, Path(os.path.realpath(first.repository)), Path.cwd()
    if dots == "...":
        name = f"where {base} and {head or 'HEAD'} parted"
        try:
            first = git_revision.common(first, second or find_revisions(["HEAD"], places)[0])
        except NoRevisionError as none:
            raise UnusableError(f"`{given}`: {none}") from None
    before = _read_revision(name, first, places, folder / "base")
    after = _read_revision(head, second, places, folder / "head") if second else _read(WORKING_TREE, places, top, here)
    return before, after


def _found(near: Path, name: str) -> GitRevision:
    try:
        return git_revision.find(near, name)
    except NoRevisionError as none:
        raise UnusableError(f"`{name}` does not exist as a file or folder, and {none}") from None


def _read_revision(name: str, at: GitRevision, places: Sequence[Path], root: Path, *, judged: bool = True) -> State:
    top, here = Path(os.path.realpath(at.repository)), Path.cwd()
    inside = here.relative_to(top) if here.is_relative_to(top) else Path()
    sets = ["" if place == top else place.relative_to(top).as_posix() for place in places]
    # A deck lies near the sets: in the folder around one, or in one directly in that.
    around = {PurePosixPath(each).parent for each in sets}
    texts = (file for file in git_revision.files_at(at, "") if file.endswith(_TEXTS))
    near = [file for file in texts if not around.isdisjoint(PurePosixPath(file).parents[:2])]
    # Rules are looked for in the folder in which the user is, too.
    folders = (folder for game in games() for folder in game.rule_folders() if not folder.is_absolute())
    rules = ((inside / folder).as_posix() for folder in folders)
    tree, lacking = git_revision.check_out(at._replace(folder=sets[0]), root, [*sets[1:], *near, *rules])
    (tree / inside).mkdir(parents=True, exist_ok=True)
    state = _read(name, [tree / each for each in sets], tree, tree / inside, judged=judged)
    return replace(state, lacking=tuple(lacking))


def _remembered(path: Path, now: State) -> State:
    """Return what a build remembers of the sets of now; `path` is a manifest, its folder, or that of several sets."""
    sets, is_one = {}, path.is_file() or (path / MANIFEST).is_file()
    if is_one and len({name for name, _ in now.sets}) > 1:
        raise UnusableError(f"`{path}` is of one set: give the folder that holds those of all")
    for (name, language), each in now.sets.items():
        assert each.card_set, "it was read"
        folder = path.parent if path.is_file() else path if is_one else path / each.card_set.output_name
        file = path if path.is_file() and not language else folder / language / MANIFEST
        if file.is_file():
            baseline = baseline_in(file)
            if not isinstance(baseline.looks, SetDigests):
                baseline.changes(each.looks)  # which says that it cannot be compared with
                continue
            memory = manifests.parse(read_bounded(file, manifests.LARGEST) or b"")
            sets[name, language] = SetState(looks=_of_all(baseline.looks), folder=file.parent, memory=memory)
    if not sets:
        raise UnusableError(f"there is neither a set nor the memory of a build (`{MANIFEST}`) in `{path}`")
    reports = [each.memory.report for each in sets.values() if each.memory]
    found = sort_findings(each for report in reports for each in (*report.findings, *report.rule_findings))
    state = State(name=f"the build in {path}", root=now.root, here=now.here, sets=sets)
    return replace(state, findings=tuple(map(state.told, found)), decks=now.decks)
