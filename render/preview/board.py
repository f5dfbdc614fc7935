"""What the page is told: all that there is once, and from then on what has changed.

Everything here is plain values for JSON. Files have the names that their authors know them by, and no path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Lock

from render.base.findings import Finding, Severity, sort_findings
from render.game.registry import game_of
from render.preview import editors
from render.preview.drawings import Drawings
from render.preview.set_view import SetView
from render.scene.items import Scene

Told = Mapping[str, object]
"""An object of JSON."""


def as_json(told: Told) -> bytes:
    """Return an object as JSON in one line; "?" stands for what is no letter, as in a file's name that is not UTF-8."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


MAX_FINDINGS = 200  # of one set: more are counted
_ORDINARY = ("id", "name", "kind", "copies")  # columns that the page shows otherwise


_QUICK = 150  # dots per inch of the first picture of an edited card, until a page has asked for another

_Known = dict[int, tuple[Scene, str]]
"""Scenes and their pictures' ids, by the identity of the scene: digesting it takes a millisecond."""


class Board:
    """What is shown now. `publish` takes it from the sets and tells listeners what is new; any thread may read it."""

    def __init__(self, editor: str = "") -> None:
        self.editor = editor
        self._faces, self._sheets = Drawings(), Drawings()
        self._cards: dict[str, Told] = {}
        self._rest: dict[str, object] = {}
        self._known: _Known = {}
        self._told: dict[tuple[str, str], tuple[object, Told]] = {}
        self._edits, self._last_edited = 0, ""
        self._made_sheets: dict[str, tuple[object, Told]] = {}
        self._lock = Lock()
        self._tell: Callable[[Told], None] = lambda _: None
        self._awaited, self._quick, self._arrived = "", _QUICK, Event()

    def listen(self, tell: Callable[[Told], None]) -> None:
        """Let `tell` be called with every change from now on."""
        self._tell = tell

    def whole(self) -> Told:
        """Return everything that is shown."""
        with self._lock:
            return {**self._rest, "cards": self._cards, "all": True}

    # --- news -----

    def publish(self, views: Mapping[str, SetView], wrong: Sequence[Finding] = (), *, edited: str = "") -> None:
        """Show the sets as they are now; with the key of a card, somebody has just edited it.

        `wrong` is what is wrong with the paths of the sets.
        """
        sets: dict[str, Told] = {}
        told: dict[tuple[str, str], tuple[object, Told]] = {}
        known: _Known = {}
        for name, view in views.items():
            found = _by_card(view)
            sets[name] = self._set(view, found.pop("", []))
            for card_id in dict.fromkeys([*view.laid, *found]):
                told[name, card_id] = self._card(name, card_id, view, tuple(found.get(card_id, ())), known)
        cards = {f"{name}/{card_id}": card for (name, card_id), (_, card) in told.items()}
        self._known, self._told = known, told
        if edited:
            self._edits, self._last_edited = self._edits + 1, edited
        rest: dict[str, object] = {
            "order": [*cards],
            "sets": sets,
            "wrong": [_without_place(finding) for finding in wrong],
            "toDo": sum(view.to_do for view in views.values()),
            "edited": [self._edits, self._last_edited],
        }
        self._faces.keep([picture for _, picture in known.values()])
        self._replace(cards, rest)

    def _replace(self, cards: dict[str, Told], rest: dict[str, object]) -> None:
        with self._lock:
            changed = {key: card for key, card in cards.items() if self._cards.get(key) != card}
            news = {name: value for name, value in rest.items() if self._rest.get(name) != value}
            gone = [key for key in self._cards if key not in cards]
            self._cards, self._rest = cards, rest
        if changed or news or gone:
            self._tell({**news, "cards": changed, "gone": gone})

    # --- pictures -----

    def picture(self, name: str, dpi: int) -> bytes | None:
        """Return a picture of a face or of a side of a sheet, as `Drawings.png` does."""
        if name == self._awaited and not self._arrived.is_set():
            self._quick = dpi
        return self._faces.png(name, dpi) or self._sheets.png(name, dpi)

    def draw_ahead(self, key: str) -> None:
        """Draw a card that was just edited, at the resolution that a page is about to ask for."""
        name = str(self._cards[key]["face"])
        self._arrived.clear()
        self._awaited = name
        self._faces.png(name, self._quick)

    def note_sent(self, path: str) -> None:
        """Take note that a browser has a picture."""
        if self._awaited and self._awaited in path:
            self._arrived.set()

    def wait_for_browser(self, seconds: float) -> None:
        """Wait until a browser has the picture that was drawn ahead, but only so long."""
        self._arrived.wait(seconds)

    def sheets(self, key: str, stamp: object, make: Callable[[Drawings], Told]) -> Told:
        """Return what is told of the sheets of a set, made again if the `stamp` is another than before."""
        known = self._made_sheets.get(key)
        if known is None or known[0] is not stamp:
            known = self._made_sheets[key] = (stamp, make(self._sheets))
            sides = (side for _, told in self._made_sheets.values() for side in told["sides"])  # type: ignore[attr-defined]
            self._sheets.keep([side["picture"] for side in sides])
        return known[1]

    # --- cards -----

    def _card(
        self, name: str, card_id: str, view: SetView, found: tuple[Finding, ...], known: _Known
    ) -> tuple[object, Told]:
        """Return what is told of a card, and what that depends on: as long as this is the same, so is that."""
        laid = view.laid.get(card_id)
        stamp = (laid and (laid.faces, laid.stale, laid.card.own_game), found)
        before = self._told.get((name, card_id))
        if laid and laid.faces and before and before[0] == stamp:
            self._picture(laid.faces.front, known)
            if laid.faces.back:
                self._picture(laid.faces.back, known)
            return before
        return stamp, self._words(name, card_id, view, found, known)

    def _words(self, name: str, card_id: str, view: SetView, found: Sequence[Finding], known: _Known) -> Told:
        laid = view.laid.get(card_id)
        findings = [self._finding(each, view) for each in found]
        if laid is None:  # it never could be read
            words = {"name": card_id, "kind": "", "about": "", "words": card_id, "face": "", "back": "", "facts": {}}
            return {"set": name, "id": card_id, "findings": findings, "stale": True, **words}
        card, game, faces = laid.card, game_of(laid.card), laid.faces
        columns = zip(game.columns, game.row(card), strict=True)
        return {
            "set": name,
            "id": card_id,
            "findings": findings,
            "stale": laid.stale,
            "name": card.name or card.id,
            "kind": card.kind.value,
            "about": game.about(card),
            "says": game.description(card),
            "words": game.words(card),
            "copies": card.copies,
            "facts": {column: value for column, value in columns if column not in _ORDINARY and value is not None},
            "face": self._picture(faces.front, known) if faces else "",
            "back": self._picture(faces.back, known) if faces and faces.back else "",
        }

    def _picture(self, scene: Scene, known: _Known) -> str:
        """Return the id of the picture of a scene."""
        found = known.get(id(scene)) or self._known.get(id(scene))
        if found is None or found[0] is not scene:
            found = (scene, self._faces.show(scene))
        known[id(scene)] = found
        return found[1]

    # --- sets and findings -----

    def _set(self, view: SetView, found: Sequence[Finding]) -> Told:
        size = view.set.sheet.card_size if view.set else None
        name = view.set.name if view.set else view.files.folder.resolve().name
        return {
            "name": name,
            "width": size.width if size else 63.5,
            "height": size.height if size else 88.9,
            "findings": [self._finding(each, view) for each in found[:MAX_FINDINGS]],
            "unread": [name_of(file, view) for file in view.unread],
            "more": max(0, len(found) - MAX_FINDINGS),
        }

    def _finding(self, finding: Finding, view: SetView) -> Told:
        """Return a finding for the page: what is wrong, where, and what to do."""
        told, span = _without_place(finding), finding.span
        if span is not None:
            told |= {
                "file": name_of(span.file, view),
                "line": span.line,
                "column": span.column,
                "excerpt": span.excerpt[:_LONGEST_EXCERPT],
                "mark": list(span.mark),
                "link": editors.link(self.editor, span) if self.editor else "",
                **({"cell": str(span.cell)} if span.cell else {}),
            }
        return told


def _without_place(finding: Finding) -> dict[str, object]:
    words = {"code": finding.code, "message": finding.message, "hint": finding.hint}
    return {"severity": finding.severity.value, **words}


_LONGEST_EXCERPT = 400  # characters of a line


def name_of(file: Path, view: SetView) -> str:
    """Return a file's name as its author knows it: within the set's folder."""
    try:
        return file.relative_to(view.files.folder).as_posix()
    except ValueError:
        return file.name


def _by_card(view: SetView) -> dict[str, list[Finding]]:
    """Return the findings of each card, and under "" those of none; errors come first."""
    found: dict[str, list[Finding]] = {}
    for finding in sort_findings(view.findings):
        card = view.card_of(finding)
        is_known = card in view.laid or finding.severity is Severity.ERROR
        found.setdefault(card if is_known else "", []).append(finding)
    for some in found.values():
        some.sort(key=lambda each: each.severity is not Severity.ERROR)
    return found
