"""A set as it is shown: the last good picture of each card, and everything that is wrong now.

A card whose file is broken keeps its last good picture; it goes only when it is gone from a file that can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.findings import Finding, Refused, Severity
from render.game.cards import GameCard, GameSet
from render.game.faces import CardFaces, Faces
from render.game.folder import GAME_FILE, SET_FILE, SetFiles, is_table
from render.game.sets.checking import judge_sets, with_flawed
from render.game.sets.set_reader import read_set
from render.game.side_layout import OddPages
from render.preview.quick_look import changed_cards
from render.source.reader import LARGEST_FILE, read_bytes
from render.text.font_book import ENDINGS

_AT_A_TIME = 25  # cards that are laid out before the page hears of them: about a third of a second's work

Told = Callable[[], None]
"""Called whenever there is something new to show."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card as it was read last, and its last good faces, None if there never were any.

    `findings` are those of laying it out. `stale` says that the faces are of before an error.
    """

    card: GameCard
    faces: Faces | None
    findings: tuple[Finding, ...] = ()
    stale: bool = False


class SetView:
    """The cards of a set in the order of its files. One thread changes it; others may read what they find."""

    def __init__(self, files: SetFiles) -> None:
        self.files = files
        self.set: GameSet | None = None
        self.laid: Mapping[str, LaidCard] = {}
        self.found: Sequence[Finding] = ()  # while reading
        self.tried: Sequence[LaidCard] = ()  # cards with a mistake, without it: what else is wrong with them
        self.ruled: Sequence[Finding] = ()  # by the rules
        self.latest = ""  # the id of the card that was changed last
        self.edits = 0  # how often somebody edited a card, as far as it was noticed
        self.to_do = 0  # cards that are still to be laid out
        self.unread: tuple[Path, ...] = ()  # the files of the set and its game whose errors keep all cards as they were
        self._faces: CardFaces | None = None
        self._texts: dict[Path, str] = {}

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong or doubtful now, each once."""
        drawing = (finding for laid in (*self.laid.values(), *self.tried) for finding in laid.findings)
        return [*dict.fromkeys([*self.found, *OddPages().once(drawing), *self.ruled])]

    # --- a first look -----

    def look_quickly(self, changed: Collection[Path]) -> bool:
        """Show the cards that a change of one card file touches, before all else; return whether any came out.

        What this shows counts until `bring_up_to_date` has read all of the set.
        """
        file = next(iter(changed)) if len(changed) == 1 else None
        before, now = (self._texts.get(file), _text_of(file)) if file else (None, None)
        if file is None or before is None or now is None or self.set is None or self._faces is None:
            return False
        shown = dict(self.laid)
        found = [card for card in changed_cards(self.set, before, now, file) if _differs(self.laid.get(card.id), card)]
        for card in found:
            shown[card.id] = _laid_out(self._faces, card, shown.get(card.id))
        if not found or any(shown[card.id].stale for card in found):
            return False
        self.laid, self.latest = _in_order(shown, self.files), found[0].id
        self.edits += 1
        self._texts[file] = now
        return True

    # --- all of it -----

    def bring_up_to_date(self, files: SetFiles, changed: Collection[Path], told: Told, *, anew: bool = False) -> None:
        """Read the set again, and lay out what has changed; `anew` if what all sets share has changed."""
        card_set, found = read_set(files)
        self.files, self.found = files, found
        self._texts = {file: text for file in files.cards if (text := _text_of(file)) is not None}
        self.unread = () if card_set else _with_errors(found, files) or (files.folder / SET_FILE,)
        if card_set is None:  # its own file, or that of its game, cannot be read: all stays as it was
            return
        fresh = anew or self._faces is None or self._is_other(card_set) or self._is_drawn_otherwise(changed)
        faces = CardFaces(card_set) if fresh or self._faces is None else self._faces
        self.set, self._faces = card_set, faces
        is_stale = (lambda _: True) if fresh else _shows_one_of(changed)
        known = {laid.card: laid for laid in self.tried}
        flawed = [each.card for each in card_set.flawed]
        self.tried = [_kept(known.get(card), card, is_stale) or _laid_out(faces, card, None) for card in flawed]
        self._lay_out(card_set, faces, is_stale, told)

    def _is_other(self, card_set: GameSet) -> bool:
        """Return whether anything but the cards of the set has changed, or what its game is."""
        if self.set is None or self.set.own_game != card_set.own_game:
            return True
        return replace(self.set, cards=()) != replace(card_set, cards=())

    def _is_drawn_otherwise(self, changed: Collection[Path]) -> bool:
        """Return whether a template has changed, a picture that templates name, or a file with lines of findings."""
        read = self._faces.read() if self._faces else ()
        return any(
            file in read or file.suffix in (".svg", *ENDINGS) or file.name in (SET_FILE, GAME_FILE) for file in changed
        )

    def _lay_out(self, card_set: GameSet, faces: CardFaces, is_stale: Callable[[GameCard], bool], told: Told) -> None:
        before, started = self.laid, not self.laid
        now: dict[str, LaidCard] = {}
        edited: list[str] = []
        made = 0
        for number, card in enumerate(card_set.cards, start=1):
            known = before.get(card.id)
            if as_before := _kept(known, card, is_stale):
                now[card.id] = as_before
                continue
            now[card.id] = _laid_out(faces, card, known)
            edited += [card.id] if known is None or known.stale or known.card != card else []
            made += 1
            if made % _AT_A_TIME == 0:
                self.to_do = len(card_set.cards) - number
                self.laid = {**before, **now}
                told()
        self.to_do = 0
        kept = {name: laid for name, laid in before.items() if name not in now and self._is_broken(laid)}
        stale = {name: LaidCard(laid.card, laid.faces, stale=True) for name, laid in kept.items()}
        self.laid = _in_order({**now, **stale}, self.files)
        self.latest = self._newest(started, edited, {name for name in kept if not before[name].stale})

    def _is_broken(self, laid: LaidCard) -> bool:
        """Return whether a card that was not read is still in its file, which has an error."""
        file = laid.card.document.file
        return any(
            finding.severity is Severity.ERROR
            and finding.span is not None
            and finding.span.file == file
            and finding.card in ("", laid.card.id)
            for finding in self.found
        )

    def _newest(self, started: bool, edited: Sequence[str], broken: Collection[str]) -> str:
        """Return the card on which somebody is at work: one just edited, else one that is newly broken.

        In a file that cannot be read all cards are; then it is the one at the line of the error.
        """
        if started:
            return _last_of_newest_file(self.laid)
        blamed = [name for finding in self.found if (name := self.card_of(finding)) in broken]
        for name in (*edited, *blamed):
            self.edits += 1
            return name
        return self.latest if self.latest in self.laid else next(iter(self.laid), "")

    def judge(self) -> None:
        """Ask the rules about the cards."""
        try:
            self.ruled = tuple(judge_sets([with_flawed(self.set)])) if self.set else ()
        except Refused as refused:
            self.ruled = refused.findings

    # --- findings and their cards -----

    def card_of(self, finding: Finding) -> str:
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
                    last, best = line, name if laid.stale or finding.span.line <= _last_line(card) else ""
        return best


def _with_errors(findings: Sequence[Finding], files: SetFiles) -> tuple[Path, ...]:
    """Return the files besides card files in which there are errors, each once."""
    errors = (each.span for each in findings if each.severity is Severity.ERROR)
    return tuple(dict.fromkeys(span.file for span in errors if span and span.file not in files.cards))


def _laid_out(faces: CardFaces, card: GameCard, known: LaidCard | None) -> LaidCard:
    drawn, findings = faces.faces(card)
    if drawn is not None:
        return LaidCard(card, drawn, tuple(findings))
    return LaidCard(card, known.faces if known else None, tuple(findings), stale=True)


def _kept(known: LaidCard | None, card: GameCard, is_stale: Callable[[GameCard], bool]) -> LaidCard | None:
    """Return a card as it was laid out before, perhaps on other lines; None if it must be laid out again."""
    if known is None or known.stale or known.card != card or is_stale(card):
        return None
    if not known.findings or known.card.document.text == card.document.text:
        return replace(known, card=card)
    (before, lines), (now, the_same) = (_lines_of(each) for each in (known.card, card))
    is_told_by_lines = not any(finding.span and finding.span.cell for finding in known.findings)
    if lines != the_same or not is_told_by_lines:
        return None
    moved = tuple(_moved(finding, card.document.file, now - before) for finding in known.findings)
    return replace(known, card=card, findings=moved)


def _lines_of(card: GameCard) -> tuple[int, str]:
    """Return the first line of a card, and the text of all its lines."""
    text, node = card.document.text, card.node
    start, end = text.rfind("\n", 0, node.start) + 1, text.find("\n", node.end)
    return card.document.span(node).line, text[start : end if end >= 0 else None]


def _moved(finding: Finding, file: Path, down: int) -> Finding:
    """Return a finding further down, if it is in that file."""
    span = finding.span
    if span is None or span.file != file:
        return finding
    return replace(finding, span=replace(span, line=span.line + down, end_line=span.end_line + down))


def _differs(known: LaidCard | None, card: GameCard) -> bool:
    return known is None or known.stale or known.card != card


def _last_line(card: GameCard) -> int:
    """Return the line on which a card ends in its file."""
    document, node = card.document, card.node
    end = node.start + len(document.text[node.start : node.end].rstrip())
    return document.between(end, end).line


def _shows_one_of(files: Collection[Path]) -> Callable[[GameCard], bool]:
    return lambda card: any(picture.file in files for picture in card.pictures.values())


def _in_order(laid: Mapping[str, LaidCard], files: SetFiles) -> dict[str, LaidCard]:
    """Return the cards in the order of the files, and of each file."""
    number = {file: index for index, file in enumerate(files.cards)}

    def place(name: str) -> tuple[int, int]:
        card = laid[name].card
        return number.get(card.document.file, len(number)), card.node.start

    return {name: laid[name] for name in sorted(laid, key=place)}


def _last_of_newest_file(laid: Mapping[str, LaidCard]) -> str:
    """Return the last card of the file that was saved last: there `kotc new` and most authors add theirs."""
    last = {each.card.document.file: name for name, each in laid.items()}
    return last[max(last, key=_changed_at)] if last else ""


def at_work(views: Mapping[str, SetView]) -> str:
    """Return the key of the card on which somebody seems to be at work who opens these sets; "" if there is none."""
    latest = {
        f"{name}/{view.latest}": _changed_at(view.laid[view.latest].card.document.file)
        for name, view in views.items()
        if view.latest in view.laid
    }
    return max(latest, key=lambda key: latest[key], default="")


def _changed_at(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _text_of(file: Path) -> str | None:
    """Return the text of a card file in YAML as its reader sees it; None for one that is refused anyway."""
    if is_table(file):  # whose cards are not told from a part of its text
        return None
    try:
        return read_bytes(file, LARGEST_FILE, file.parent).decode("utf-8")
    except (Refused, UnicodeDecodeError):
        return None


def cards_of(views: Mapping[str, SetView]) -> Iterator[tuple[str, LaidCard]]:
    """Yield the key of every card, `s1/storm-hammer`, and the card."""
    for name, view in views.items():
        for card_id, laid in view.laid.items():
            yield f"{name}/{card_id}", laid
