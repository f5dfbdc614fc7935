"""What the cards of a set look like, and what differs from an earlier build, a print or a revision of git.

`digest_set` gives the looks of cards that are laid out, and keeps their scenes, so that they can be painted.
`recall_set` gives those that a manifest remembers, which has no scenes. A `Baseline` is what a build compares with.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec import field
from msgspec.structs import replace

from render.base.files import replace_file
from render.base.findings import Finding, Problem, Refused, has_errors
from render.base.forking import map_in_two_processes
from render.base.geometry import MAX_DISTANCE
from render.base.progress import stage
from render.base.reach import read_bounded
from render.base.values import PartlyCompared
from render.build import git_revision
from render.build import manifest as manifests
from render.build.git_revision import GitRevision, NoRevisionError
from render.build.manifest import MANIFEST, PRINTED, ChangedCards, Grid, Manifest, OtherFormatError, OutputRecord, Row
from render.build.outputs import Keys, back_png_of, canvas_of, png_of
from render.game.cards import shared_back
from render.game.faces import Faces, Redrawn, lay_out_set
from render.game.folder import SET_FILE, Source
from render.game.registry import game_of
from render.game.side_layout import OwnSides
from render.layout.bleed import add_bleed
from render.png.canvas import Canvas
from render.scene.items import Scene, scene_digest, without_words
from render.sheets.options import MAX_BLEED, MAX_DPI, MIN_DPI, OPTIONS, Backs

if TYPE_CHECKING:
    from render.game.cards import GameCard, GameSet

_USUAL_DPI = 300.0  # for comparing pixels if a set makes no PNGs
_NO_BACK = ""
_DIGITS = 16  # of digests of scenes: 64 bits
_MAX_NAMED = 3  # missing files to name


class CardDigests(NamedTuple):
    """A card's looks: its copies, and the digests of its faces' scenes; "" for no back."""

    copies: int
    front: str
    back: str


class SetDigests(PartlyCompared, frozen=True, kw_only=True):
    """What the cards of a set look like, by id in their order.

    `pixels` are digests of pixels on the grid by the digest of the scene, where known. `scenes` are those at hand.
    `plain` are digests of fronts without the Edition Indicator, by id, of cards that have one.
    """

    uncompared: ClassVar = frozenset({"scenes", "plain"})

    cards: Mapping[str, CardDigests]
    grid: Grid
    pixels: Mapping[str, str] = field(default_factory=dict)
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    plain: Mapping[str, str] = field(default_factory=dict)

    @property
    def printed(self) -> dict[str, CardDigests]:
        """The cards with copies."""
        return {name: looks for name, looks in self.cards.items() if looks.copies}

    @property
    def mark(self) -> str:
        """A digest of all this, to tell it from others."""
        known = repr((dict(self.cards), self.grid, sorted(self.pixels.items())))
        return hashlib.sha256(known.encode("utf-8", "backslashreplace")).hexdigest()[:16]


class Looks(NamedTuple):
    """Digests of a card's own sides as they are laid out, "" for none, and of its front without the Edition Indicator."""

    front: str
    back: str
    plain: str


def looks_of(card: GameCard, sides: OwnSides) -> Looks:
    """Return what a card's own sides look like."""
    front, back = sides
    indicator = game_of(card).indicator(card)
    plain = _digest(without_words(front, indicator)) if front and indicator else ""
    return Looks(_digest(front), _digest(back), plain)


def _digest(scene: Scene | None) -> str:
    return scene_digest(scene)[:_DIGITS] if scene else _NO_BACK


def digest_set(card_set: GameSet, faces: Iterable[Faces], known: Mapping[str, Looks] | None = None) -> SetDigests:
    """Return what the cards of a set, already laid out, look like; without pixels.

    What is `known` of their own sides is not looked at again. Without backs on sheets, cards have none.
    """
    scenes: dict[str, Scene] = {}
    shared: dict[int, str] = {}  # cards share their backs
    with_backs = card_set.sheet.backs is not Backs.NONE
    cards: dict[str, CardDigests] = {}
    plain: dict[str, str] = {}
    for each in faces:
        card, own = each.card, each.back if each.card.has_own_back else None
        looks = known[card.id] if known is not None else looks_of(card, (each.front, own))
        scenes[looks.front], back = each.front, _NO_BACK
        if with_backs and each.back:
            if not own and id(each.back) not in shared:
                shared[id(each.back)] = _digest(each.back)
            back = looks.back if own else shared[id(each.back)]
            scenes[back] = each.back
        cards[card.id] = CardDigests(card.copies, looks.front, back)
        if looks.plain:
            plain[card.id] = looks.plain
    return SetDigests(cards=cards, grid=grid_of(card_set), scenes=scenes, plain=plain)


def grid_of(card_set: GameSet) -> Grid:
    """Return how the cards of a set are compared: on the grid of its PNGs, if it makes any. No back is known.

    Pixels of fronts come with their PNGs, but painting one back, which may have hundreds of shapes, takes as long as
    all else that is remembered of a thousand cards.
    """
    size = card_set.sheet.card_size
    canvas = canvas_of(card_set) if card_set.outputs.pngs else Canvas(_USUAL_DPI)
    bleed_from = card_set.sheet.bleed_from if canvas.bleed else ""
    return Grid((size.width, size.height), (canvas.dpi, canvas.bleed), bleed_from)


# --- differences ----------------------------------------------------------------------------------------------------


def compare(before: SetDigests, now: SetDigests, *, noticed_only: bool = False) -> ChangedCards:
    """Return the differences; what is drawn differently is painted, and its pixels decide.

    If only what a player notices is to be printed, a card with nothing but another Edition Indicator is not.
    """
    return differences(before, now, paint_differences(before, now), noticed_only=noticed_only)


def paint_differences(before: SetDigests, now: SetDigests) -> dict[str, str]:
    """Return the digests of pixels that decide on the differences, on the grid of `before`, by the digest of the scene.

    If one side can be painted and the other neither can nor has its pixels, the drawing decides.
    """
    pixels = {**(now.pixels if now.grid == before.grid else {}), **before.pixels}
    if before.grid.size != now.grid.size:
        return pixels
    scenes = {**now.scenes, **before.scenes}
    pairs = [pair for pair in _pairs(before, now) if all(face in pixels or face in scenes for face in pair)]
    unknown = {face for pair in pairs for face in pair} - pixels.keys()
    # Faces with the same picture together: it is decoded once.
    todo = sorted(unknown, key=lambda face: (scenes[face].first_picture, face))
    canvas, bleed_from = Canvas(*before.grid.canvas), before.grid.bleed_from

    def digest_pixels(some: Iterable[Scene]) -> Iterator[str]:
        from render.png import packing, paint

        for scene in some:
            yield packing.digest(paint.paint_cut(add_bleed(scene, canvas.bleed, bleed_from), canvas))

    with stage("draw", len(todo), "pictures of before and now") as step:
        painted = map_in_two_processes(digest_pixels, [scenes[face] for face in todo], step)
        return pixels | dict(zip(todo, painted, strict=True))


def _pairs(before: SetDigests, now: SetDigests) -> Iterator[tuple[str, ...]]:
    """Yield pairs of digests of scenes whose pixels must be compared, and single ones that may have been renamed."""
    old, new = before.printed, now.printed
    for name in old.keys() & new.keys():
        sides = zip(old[name][1:], new[name][1:], strict=True)
        yield from (pair for pair in sides if pair[0] != pair[1])
    for mine, others in ((old, new), (new, old)):
        # Without any difference nothing can have been renamed, and no further card need be painted.
        if any(looks != mine.get(name) for name, looks in others.items()):
            yield from ((face,) for name in mine.keys() - others.keys() for face in mine[name][1:])


def differences(
    before: SetDigests, now: SetDigests, pixels: Mapping[str, str], *, noticed_only: bool = False
) -> ChangedCards:
    """Return the differences. Two faces are alike if their scenes are, or their pixels, where both are known.

    A card is renamed if it looks like an earlier card whose id is gone, or now belongs to another picture.
    """
    old, new = (
        {name: (pixels.get(front, front), pixels.get(back, back)) for name, (_, front, back) in each.printed.items()}
        for each in (before, now)
    )
    origin = {name: name for name in new if old.get(name) == new[name]}
    indicator = [
        name
        for name, (_, back) in new.items()
        if name in old
        and name not in origin
        and back == old[name][1]
        and now.plain.get(name, "") == before.plain.get(name) != ""
    ]
    if noticed_only:
        origin |= {name: name for name in indicator}
    # Cards that look the same are exchangeable, so each earlier one can be the origin of one card only.
    free: defaultdict[tuple[str, str], deque[str]] = defaultdict(deque)
    for name, faces in old.items():
        if name not in origin:
            free[faces].append(name)
    for name, faces in new.items():
        if name not in origin and free[faces]:
            origin[name] = free[faces].popleft()
    origins = set(origin.values())
    gone = [name for name in old if name not in origins]
    fresh = [name for name in new if name not in origin]
    more = {name: now.cards[name].copies - before.cards[origin[name]].copies for name in new if name in origin}
    return ChangedCards(
        changed=tuple(name for name in fresh if name in gone and name not in indicator),
        indicator=tuple(name for name in indicator if noticed_only or name in fresh),
        added=tuple(name for name in fresh if name not in gone),
        removed=tuple(name for name in gone if name not in fresh),
        renamed=tuple((origin[name], name) for name in new if origin.get(name, name) != name),
        more=tuple((name, number) for name, number in more.items() if number > 0),
        fewer=tuple((name, -number) for name, number in more.items() if number < 0),
        # 1: cards that are not in `more` changed or are new, and are printed whatever their number.
        copies=tuple((name, more.get(name, now.cards[name].copies)) for name in new if more.get(name, 1) > 0),
    )


# --- remembering ----------------------------------------------------------------------------------------------------


def rows(
    card_set: GameSet,
    shown: Container[str],
    now: SetDigests,
    known: Mapping[str, tuple[str, str]],
    drawn: Redrawn,
    keys: Keys,
) -> dict[str, Row]:
    """Return what to remember of the cards that outputs show: those laid out `now`, and others with `known` sides."""
    with_backs = card_set.sheet.backs is not Backs.NONE
    backs = {of: _digest(scene) for of, scene in drawn.backs.items()} if with_backs else {}

    def row(card: GameCard) -> Row:
        front, own = now.cards[card.id][1:] if card.id in now.cards else known[card.id]
        back = own if card.has_own_back else backs.get(shared_back(card, card_set), _NO_BACK)
        return card.copies, front, back, keys.sides(card)

    return {card.id: row(card) for card in card_set.cards if card.id in shown}


def still_known(before: Manifest, card_set: GameSet, keys: Keys) -> dict[str, tuple[str, str]]:
    """Return the remembered digests of both sides, by id, of cards whose own sides are made from the same things now.

    A back that cards share may be another one now.
    """
    with_backs = card_set.sheet.backs is not Backs.NONE
    known: dict[str, tuple[str, str]] = {}
    for card in card_set.cards:
        row, made_from = before.pictures.get(card.id), keys.sides(card)  # asked of each card: its files are inputs
        # Of a set that had no backs on its sheets, those of the cards were not remembered.
        if row and row[3] == made_from and not (card.has_own_back and bool(row[2]) is not with_backs):
            known[card.id] = row[1], row[2]
    return known


def recall_set(known: Manifest) -> SetDigests | None:
    """Return the looks of cards from a manifest; None if it does not have them."""
    grid = known.painted
    dpi, bleed = grid.canvas
    # The file may come from anywhere, and painting takes memory by the square of the resolution.
    is_sound = MIN_DPI <= dpi <= MAX_DPI and 0 <= bleed <= MAX_BLEED and all(0 <= n <= MAX_DISTANCE for n in grid.size)
    if not is_sound or not known.pictures or any(row[0] < 0 for row in known.pictures.values()):
        return None
    with_bleed = next(option for option in OPTIONS if option.key == "bleed_from")
    try:
        with_bleed.read(grid.bleed_from or "auto")
    except ValueError:
        return None
    pixels = dict(grid.backs)
    for name, (_, front, back, _) in known.pictures.items():
        # A build may have drawn a back for its card alone.
        for face, record in ((front, known.outputs.get(png_of(name))), (back, known.outputs.get(back_png_of(name)))):
            if record and record.pixels:
                pixels[face] = record.pixels
    cards = {name: CardDigests(*row[:3]) for name, row in known.pictures.items()}
    own_grid = Grid(grid.size, grid.canvas, grid.bleed_from)
    return SetDigests(cards=cards, grid=own_grid, pixels=pixels, plain=known.plain)


def as_manifest(looks: SetDigests, name: str = "") -> Manifest:
    """Return a manifest with the looks of the set `name`, and nothing else."""
    pixels, grid = looks.pixels, looks.grid
    cards = looks.cards.items()
    fronts = {
        png_of(each): OutputRecord({}, {}, pixels=pixels[front]) for each, (_, front, _) in cards if front in pixels
    }
    backs = {back: pixels[back] for _, (_, _, back) in cards if back in pixels}
    # What fronts are made from is unknown here, so no build takes these for its own.
    pictures = {each: (*card, "") for each, card in cards}
    painted = Grid(grid.size, grid.canvas, grid.bleed_from, backs)
    return Manifest(name=name, outputs=fronts, pictures=pictures, plain={**looks.plain}, painted=painted)


# --- baselines ------------------------------------------------------------------------------------------------------


class Baseline(NamedTuple):
    """What a build is compared with: its name for people (`v1.0`), a mark that identifies it, and its cards' looks.

    If `noticed_only`, cards with nothing but another Edition Indicator are not printed. The looks may be still to be drawn, of a revision of git. A manifest that does not remember any is given by its path.
    """

    since: str
    mark: str
    looks: SetDigests | GitRevision | Path
    noticed_only: bool = False

    def without_indicators(self) -> Baseline:
        """Return the baseline, from which only what a player notices is printed."""
        return Baseline(self.since, f"{self.mark} noticed", self.looks, noticed_only=True)

    def changes(self, now: SetDigests) -> ChangedCards:
        """Return the differences to now; Refused if the baseline cannot be read, OSError."""
        match self.looks:
            case SetDigests():
                return compare(self.looks, now, noticed_only=self.noticed_only)
            case GitRevision():
                with _drawn_at(self.since, self.looks) as before:  # pictures are there as long as they are painted
                    return compare(before, now, noticed_only=self.noticed_only)
        hint = "compare with the manifest of a build that made PNGs or sheets"
        raise Refused([Problem("H003", f"`{self.looks}` does not remember what any card looked like", hint).at()])


class UnusableError(ValueError):
    """The argument means nothing that these sets can be compared with; the message says why."""


def baseline_in(file: Path, since: str = "") -> Baseline:
    """Return the baseline in a manifest. OSError; Refused if it is none, or later, on use, if it has no looks."""
    named = file if file.name == MANIFEST else Path(os.path.realpath(file))  # a link means the file that it leads to
    try:
        looks = recall_set(manifests.parse(read_bounded(named, manifests.LARGEST) or b""))
    except OtherFormatError as other:
        message = f"`{file}` was written by {other} kotc, whose manifests have another format"
        raise Refused([Problem("H002", message, "compare with a revision of git instead").at()]) from None
    except manifests.UNREADABLE:
        message = f"`{file}` is not the manifest of a build"
        raise Refused([Problem("H001", message, f"give a `{MANIFEST}`, or a copy of one").at()]) from None
    return Baseline(since or str(file), looks.mark if looks else "none", looks or file)


def find_baselines(given: str, sets: Sequence[Source]) -> dict[Path, Baseline]:
    """Return what to compare each set with, by its folder: FILE|GIT-REV means a manifest or a revision.

    UnusableError if it is neither a file nor a revision, or both, or a file for several sets; Refused if a file is not
    what it should be; OSError.
    """
    path = Path(given)
    try:
        is_there = bool(given) and path.exists()
    except (OSError, ValueError):  # longer than names are, or with a null character
        is_there = False
    if not is_there:
        return {files.origin: _at_revision(given, files) for files in sets}
    for files in sets:
        with suppress(NoRevisionError, OSError):
            if not files.deck and git_revision.find(files.folder, given):  # a guess would print the wrong cards
                raise UnusableError(f"`{given}` is a file and a revision of git: write `./{given}` or `{given}^0`")
    return dict(zip((files.origin for files in sets), _at_path(path, sets), strict=True))


def mark_printed(folder: Path) -> bool:
    """Note that the outputs in a folder are printed; False if nothing, or only part of it, was built there. OSError."""
    data = manifests.read_beside(folder / MANIFEST)
    is_whole = bool(data) and manifests.read(folder).complete
    if is_whole:
        replace_file(folder / PRINTED, data, folder.parent)
    return is_whole


def since_print(folders: Mapping[Path, Path]) -> dict[Path, Baseline]:
    """Return what was printed last of sets and decks, by their origins, as are their folders of outputs.

    UnusableError if nothing is marked; Refused if a mark is damaged; OSError.
    """
    missing = next((folder for folder in folders.values() if not (folder / PRINTED).is_file()), None)
    if missing:
        message = f"nothing in `{missing}` is marked as printed: print its sheets"
        raise UnusableError(f"{message}, then say so with `kotc build --mark-printed`")
    return {origin: baseline_in(folder / PRINTED, "the last print") for origin, folder in folders.items()}


def _at_path(path: Path, sets: Sequence[Source]) -> Iterator[Baseline]:
    """Yield the baseline of each set: the manifest, the one in the folder, or the one in the folder of outputs."""
    if not path.is_dir() or (path / MANIFEST).is_file():
        if len(sets) > 1:
            message = f"`{path}` is of one set, and {len(sets)} are built: give the folder that holds those of all"
            raise UnusableError(message)
        yield baseline_in(path / MANIFEST if path.is_dir() else path, str(path))
        return
    files = [path / each.output_name / MANIFEST for each in sets]
    if not any(file.is_file() for file in files):
        names = " or ".join(f"`{file}`" for file in files)
        raise UnusableError(f"there is neither `{path / MANIFEST}` nor {names}")
    for file in files:
        yield baseline_in(file, str(path)) if file.is_file() else _nothing(f"{path}, which has no such set")


def _nothing(since: str) -> Baseline:
    return Baseline(since, "nothing", SetDigests(cards={}, grid=Grid(canvas=(_USUAL_DPI, 0.0))))


def _at_revision(given: str, files: Source) -> Baseline:
    if files.deck:
        message = f"there is no file `{given}`, and the deck `{files.deck}` cannot be compared with a revision of git"
        raise UnusableError(f"{message}: give the `{MANIFEST}` of an earlier build")
    try:
        revision = git_revision.find(files.folder, given)
    except NoRevisionError as none:
        raise UnusableError(f"there is no file `{given}`, and {none}") from None
    if not git_revision.files_at(revision, revision.folder + SET_FILE):
        return _nothing(f"{given}, when there was no such set")
    return Baseline(given, revision.commit, revision)


@contextmanager
def _drawn_at(given: str, revision: GitRevision) -> Iterator[SetDigests]:
    """Give the looks of the cards at a revision, drawn by this program; Refused with all errors of the set."""
    from render.game.sources import survey

    with TemporaryDirectory(prefix="kotc-") as folder:
        tree, lacking = git_revision.check_out(revision, Path(folder))
        loaded, findings = survey([tree / revision.folder])
        try:
            if has_errors(findings) or not loaded:
                raise Refused(findings)
            drawn = lay_out_set(loaded[0])
        except Refused as refused:
            raise Refused(_explained(refused.findings, given, tree, lacking)) from None
        yield digest_set(loaded[0], drawn.faces)


def _explained(findings: Sequence[Finding], given: str, tree: Path, lacking: Sequence[str]) -> Iterator[Finding]:
    """Yield why the set of a revision cannot be read, and the findings at their places in it."""
    # What git could not give explains the errors better than they do themselves.
    hint = "; ".join(lacking[:_MAX_NAMED]) or f"compare with the `{MANIFEST}` of a build of that time instead"
    yield Problem("H004", f"the set as it was at `{given}` has errors, and cannot be compared with", hint).at()
    here = f"{tree}/"
    for finding in findings:
        message, hint = (words.replace(here, f"{given}:") for words in (finding.message, finding.hint))
        span = finding.span and replace(finding.span, file=Path(str(finding.span.file).replace(here, f"{given}:")))
        yield replace(finding, message=message, hint=hint, span=span)
