"""A set as it is shown: the last good picture of each card, and everything that is wrong now.

A card whose file is broken keeps its last good picture; it goes only when it is gone from a file that can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity
from render.base.limits import YAML_FILE
from render.base.patterns import regex
from render.build.plan import lines_of, moved
from render.build.store import RecentMemory
from render.game.cards import GameCard, GameSet
from render.game.faces import CardFaces, Faces
from render.game.folder import GAME_FILE, SET_FILE, Source, is_table
from render.game.sets.checking import judge_sets, with_flawed
from render.game.sets.set_reader import read_set, read_some
from render.game.side_layout import OddPages
from render.source.reader import read_bytes
from render.text.font_book import ENDINGS

_AT_A_TIME = 25  # cards that are laid out before the page hears of them: about a third of a second's work


class LaidCard(Struct, frozen=True):
    """A card as it was read last, and its last good faces, None if there never were any.

    `findings` are those of laying it out. `stale` says that the faces are of before an error.
    """

    card: GameCard
    faces: Faces | None
    findings: tuple[Diagnostic, ...] = ()
    stale: bool = False


class SetView:
    """The cards of a set in the order of its files. One thread changes it; others may read what they find."""

    def __init__(self, files: Source, memory: RecentMemory) -> None:
        self.files = files
        self._memory = memory
        self.set: GameSet | None = None
        self.laid: Mapping[str, LaidCard] = {}
        self.found: Sequence[Diagnostic] = ()  # while reading
        self.flawed: Sequence[LaidCard] = ()  # cards with a mistake, without it: what else is wrong with them
        self.ruled: Sequence[Diagnostic] = ()  # by the rules
        self.latest = ""  # the id of the card that was changed last
        self.edits = 0  # how often somebody edited a card, as far as it was noticed
        self.to_do = 0  # cards that are still to be laid out
        self.unread: tuple[Path, ...] = ()  # the files of the set and its game whose errors keep all cards as they were
        self._faces: CardFaces | None = None
        self._texts: dict[Path, str] = {}

    @property
    def findings(self) -> list[Diagnostic]:
        """Everything that is wrong or doubtful now, each once."""
        drawing = (finding for laid in (*self.laid.values(), *self.flawed) for finding in laid.findings)
        return [*dict.fromkeys([*self.found, *OddPages().once(drawing), *self.ruled])]

    def name_of(self, file: Path) -> str:
        """Return a file's name as its author knows it: within the set's folder."""
        folder = self.files.folder
        return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name

    def card_of(self, finding: Diagnostic) -> str:
        """Return the id of the card that a finding is about: the one it names, else the one at its line; else ""."""
        if finding.card or finding.span is None:
            return finding.card
        last, best = 0, ""
        for name, laid in self.laid.items():
            card = laid.card
            if card.document.file == finding.span.file:
                line = card.document.span(card.node).line
                if last < line <= finding.span.line:
                    # What stands behind a card is none of it; of one that is broken, nobody knows where it ends now.
                    is_in = laid.stale or finding.span.line <= card.document.span(card.node).end_line
                    last, best = line, name if is_in else ""
        return best

    # --- a first look: most saves change one card of many ---

    def look_quickly(self, changed: Collection[Path]) -> bool:
        """Show the cards that a change of one card file touches, before all else; return whether any came out.

        A text may look like a list of cards and be none, so what this shows counts only until `update`.
        """
        file = next(iter(changed)) if len(changed) == 1 else None
        before, now = (self._texts.get(file), _text_of(file)) if file else (None, None)
        if file is None or before is None or now is None or self.set is None or self._faces is None:
            return False
        shown = dict(self.laid)
        cards = [card for card in changed_cards(self.set, before, now, file) if _is_edited(card, self.laid)]
        for card in cards:
            shown[card.id] = _lay_out(self._faces, card, shown.get(card.id))
        if not cards or any(shown[card.id].stale for card in cards):
            return False
        self.laid, self.latest = _in_order(shown, self.files), cards[0].id
        self.edits += 1
        self._texts[file] = now
        return True

    # --- all of it ---

    def update(
        self, files: Source, changed: Collection[Path], on_progress: Callable[[], None], *, anew: bool = False
    ) -> None:
        """Read the set again, and lay out what has changed; `anew` if what all sets share has changed."""
        card_set, self.found = read_set(files, at_rest=True, memory=self._memory.open_for([files.folder]))
        self.files = files
        self._texts = {file: text for file in files.cards if (text := _text_of(file)) is not None}
        self.unread = ()
        if card_set is None:  # its own file, or that of its game, cannot be read: all stays as it was
            spans = [finding.span for finding in self.found if finding.severity is Severity.ERROR]
            broken = dict.fromkeys(span.file for span in spans if span and span.file not in files.cards)
            self.unread = (*broken,) or (files.folder / SET_FILE,)
            return
        faces = self._faces
        is_fresh = anew or faces is None or self._is_drawn_otherwise(card_set, faces, changed)
        if faces is None or is_fresh:
            faces = CardFaces(card_set)

        def is_stale(card: GameCard) -> bool:
            return is_fresh or any(picture.file in changed for picture in card.pictures.values())

        self.set, self._faces = card_set, faces
        known = {laid.card: laid for laid in self.flawed}
        self.flawed = [
            _reuse(known.get(each.card), each.card, is_stale) or _lay_out(faces, each.card, None)
            for each in card_set.flawed
        ]
        self._lay_out_cards(card_set, faces, is_stale, on_progress)

    def _is_drawn_otherwise(self, card_set: GameSet, faces: CardFaces, changed: Collection[Path]) -> bool:
        """Return whether anything but the cards of the set has changed, its game, or a file that templates read."""
        if self.set is None or self.set.own_game != card_set.own_game:
            return True
        read, endings, names = faces.read(), (".svg", *ENDINGS), (SET_FILE, GAME_FILE)
        return replace(self.set, cards=()) != replace(card_set, cards=()) or any(
            file in read or file.suffix in endings or file.name in names for file in changed
        )

    def _lay_out_cards(
        self,
        card_set: GameSet,
        faces: CardFaces,
        is_stale: Callable[[GameCard], bool],
        on_progress: Callable[[], None],
    ) -> None:
        before, now = self.laid, dict[str, LaidCard]()
        edited: list[str] = []
        made = 0
        for number, card in enumerate(card_set.cards, start=1):
            known = before.get(card.id)
            if reused := _reuse(known, card, is_stale):
                now[card.id] = reused
                continue
            now[card.id] = _lay_out(faces, card, known)
            edited += [card.id] if _is_edited(card, before) else []
            made += 1
            if made % _AT_A_TIME == 0:
                self.to_do = len(card_set.cards) - number
                self.laid = {**before, **now}
                on_progress()
        self.to_do = 0
        # A card that was not read is still in its file if that has an error.
        errors = {
            (finding.span.file, finding.card)
            for finding in self.found
            if finding.severity is Severity.ERROR and finding.span
        }
        broken = [
            name
            for name, laid in before.items()
            if name not in now and errors & {(laid.card.document.file, card) for card in ("", name)}
        ]
        stale = {name: LaidCard(before[name].card, before[name].faces, stale=True) for name in broken}
        self.laid = _in_order({**now, **stale}, self.files)
        # In a file that cannot be read all cards are broken; then somebody is at work on the one at the error.
        blamed = [
            name for finding in self.found if (name := self.card_of(finding)) in broken and not before[name].stale
        ]
        if not before:
            # The last card of the file that was saved last: there `kotc new` and most authors add theirs.
            last = {each.card.document.file: name for name, each in self.laid.items()}
            self.latest = last[max(last, key=_saved_at)] if last else ""
        elif at_work := [*edited, *blamed]:
            self.latest = at_work[0]
            self.edits += 1
        elif self.latest not in self.laid:
            self.latest = next(iter(self.laid), "")

    def judge(self) -> None:
        """Ask the rules about the cards."""
        try:
            self.ruled = judge_sets([with_flawed(self.set)]) if self.set else ()
        except Refused as refused:
            self.ruled = refused.findings


def _lay_out(faces: CardFaces, card: GameCard, known: LaidCard | None) -> LaidCard:
    drawn, findings = faces.faces(card)
    return LaidCard(card, drawn or (known.faces if known else None), tuple(findings), stale=drawn is None)


def _is_edited(card: GameCard, laid: Mapping[str, LaidCard]) -> bool:
    known = laid.get(card.id)
    return known is None or known.stale or known.card != card


def _reuse(known: LaidCard | None, card: GameCard, is_stale: Callable[[GameCard], bool]) -> LaidCard | None:
    """Return a card as it was laid out before, perhaps on other lines; None if it must be laid out again."""
    if known is None or known.stale or known.card != card or is_stale(card):
        return None
    if not known.findings or known.card.document.text == card.document.text:
        return replace(known, card=card)
    if lines_of(known.card) != lines_of(card) or any(finding.span and finding.span.cell for finding in known.findings):
        return None
    file, (before, now) = card.document.file, (each.document.span(each.node).line for each in (known.card, card))
    findings = (
        moved(finding, file, now - before) if finding.span and finding.span.file == file else finding
        for finding in known.findings
    )
    return LaidCard(card, known.faces, tuple(findings))


def _in_order(laid: Mapping[str, LaidCard], files: Source) -> dict[str, LaidCard]:
    numbers = {file: number for number, file in enumerate(files.cards)}
    cards = {name: each.card for name, each in laid.items()}
    places = {name: (numbers.get(card.document.file, len(numbers)), card.node.start) for name, card in cards.items()}
    return {name: laid[name] for name in sorted(laid, key=places.__getitem__)}


def card_at_work(views: Mapping[str, SetView]) -> str:
    """Return the key of the card on which somebody seems to be at work who opens these sets; "" if there is none."""
    latest = {
        f"{name}/{view.latest}": _saved_at(view.laid[view.latest].card.document.file)
        for name, view in views.items()
        if view.latest in view.laid
    }
    return max(latest, key=latest.__getitem__, default="")


def _saved_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


# --- what has changed in a text ---------------------------------------------------------------------------------------

_ITEM = regex(r"^- ", re.MULTILINE)
_MAX_TOUCHED = 8  # cards: for more, reading the whole file takes little longer


def _text_of(file: Path) -> str | None:
    """Return the text of a card file in YAML as its reader sees it; None for one that is refused anyway."""
    if is_table(file):  # whose cards are not told from a part of its text
        return None
    try:
        return read_bytes(file, YAML_FILE.most, file.parent).decode("utf-8")
    except (Refused, UnicodeDecodeError):
        return None


def changed_cards(card_set: GameSet, before: str, now: str, file: Path) -> list[GameCard]:
    """Return the sound cards in the part of a list of cards that has changed; [] if they cannot be told from the text."""
    starts = [match.start() for match in _ITEM.finditer(now)]
    same = _common_length(before, now)
    behind = min(_common_length(before[same:][::-1], now[same:][::-1]), len(now) - same)
    first = max((start for start in starts if start <= same), default=None)
    if first is None:
        return []
    end = next((start for start in starts if start > first and start >= len(now) - behind), len(now))
    if not 0 < sum(first <= start < end for start in starts) <= _MAX_TOUCHED:
        return []
    try:
        # Lines without anything above keep the numbers of the lines right.
        return read_some(card_set, "\n" * now.count("\n", 0, first) + now[first:end], file)
    except Refused:
        return []


def _common_length(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginning: by bisection, since comparing slices is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
