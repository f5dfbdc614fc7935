"""What the page is told: all that there is once, and from then on what has changed; and the loop that keeps it true.

Everything told is plain values for JSON. Files have the names that their authors know them by, and no path. Pictures
have ids that follow from what is seen, so whoever knows no id gets no picture, and a browser may keep one for ever. Only
what the page shows now, or showed shortly before, can be asked for.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from threading import Event, Lock
from typing import TypeAlias

from render.base.caches import BoundedCache
from render.base.findings import Diagnostic, Severity, plural, sort_findings
from render.base.sizes import POKER
from render.build.store import RecentMemory
from render.build.watch import LATER, SOON, ChangeWatcher, Listen
from render.exports.print_files import PrintJob, by_size, sheet_pages, sheets
from render.game.cards import GameSet, cut_of, size_of
from render.game.faces import CardFaces, Faces
from render.game.folder import Source
from render.game.home import AS_THEY_ARE, Versions
from render.game.registry import game_of
from render.game.sources import in_versions
from render.images.resample import PictureChangedError
from render.pdf.document import Page
from render.png.canvas import Canvas
from render.png.packing import encode
from render.png.paint import paint_cut, paint_sheet
from render.preview.details import Json, card_details, place_in_file
from render.preview.set_view import SetView, card_at_work
from render.scene.items import Scene, scene_digest

MAX_FINDINGS = 200  # of one set: more are counted
_LONGEST_EXCERPT = 400  # characters of a line
_SHOWN_ELSEWHERE = ("id", "name", "kind", "copies")  # columns of the game's table
_FIRST_DPI = 150  # of the first picture of an edited card, until a page has asked for another


# --- pictures ---------------------------------------------------------------------------------------------------------

RESOLUTIONS = (50, 75, 100, 150, 200, 300, 400, 600)
"""The dots per inch in which a picture can be had; the page asks for the first that is sharp on its screen."""

MAX_SHEETS = 200  # of a set that are shown: a browser would hold no more pictures of pages
_MAX_DPI_OF_SHEETS = 200  # a sheet has ten times the pixels of a card
_ID_DIGITS = 24  # enough that no two pictures share one
_MAX_BYTES = 48 << 20  # of finished pictures
_MAX_GONE = 64  # scenes that are kept after they went off the page: a browser may still be asking for them

Shown: TypeAlias = Scene | Page
"""What is shown: a face of a card, or a side of a sheet."""


class Pictures:
    """What is shown, and its pictures. Any thread may ask; one draws at a time."""

    def __init__(self) -> None:
        self._shown: dict[str, Shown] = {}
        self._gone: OrderedDict[str, Shown] = OrderedDict()
        self._ids: dict[int, str] = {}  # by the identity of a scene: digesting it takes a millisecond
        self._finished = BoundedCache[bytes](_MAX_BYTES, len)
        self._lock, self._drawing = Lock(), Lock()

    def show(self, shown: Shown) -> str:
        """Take a scene or a side among those that are shown, and return its id."""
        known = self._ids.get(id(shown), "")
        if known and self._shown.get(known) is shown:
            return known
        if isinstance(shown, Scene):
            digest = scene_digest(shown)
        else:
            faces = {id(each.face): each.face for each in shown.placements}
            digests = {key: scene_digest(face) for key, face in faces.items()}
            placed = [(digests[id(each.face)], each.box, each.quarters, each.bleed) for each in shown.placements]
            marks = scene_digest(Scene(shown.size, shown.marks))
            digest = sha256(repr((placed, marks)).encode("ascii")).hexdigest()
        name = digest[:_ID_DIGITS]
        with self._lock:
            self._shown[name], self._ids[id(shown)] = shown, name
        return name

    def keep(self, names: Iterable[object]) -> None:
        """Drop what is no longer shown, but the last few."""
        wanted = frozenset(names)
        with self._lock:
            for name in [name for name in self._shown if name not in wanted]:
                self._gone[name] = self._shown.pop(name)
            while len(self._gone) > _MAX_GONE:
                self._gone.popitem(last=False)
            self._ids = {id(shown): name for name, shown in self._shown.items()}

    def png(self, name: str, dpi: int) -> bytes | None:
        """Return a picture as a PNG; None if nothing of that id is shown, or its files are just changing."""
        with self._lock:
            shown = self._shown.get(name) or self._gone.get(name)
        if shown is None or dpi not in RESOLUTIONS:
            return None
        dpi = dpi if isinstance(shown, Scene) else min(dpi, _MAX_DPI_OF_SHEETS)

        def draw() -> bytes:
            if isinstance(shown, Scene):
                return encode(paint_cut(shown, Canvas(dpi)), dpi)
            return encode(paint_sheet(shown.size, shown.placements, shown.marks, dpi), dpi)

        try:
            with self._drawing:
                return self._finished.get((name, dpi), draw)
        except (PictureChangedError, OSError):
            return None


# --- what is shown ----------------------------------------------------------------------------------------------------


class PreviewState:
    """What is shown now: `publish` takes it from the views of sets, and notifies of what is new; any thread may read it."""

    def __init__(self, editor: str = "", notify: Callable[[Json], None] = lambda _: None) -> None:
        self.views: dict[str, SetView] = {}  # by the keys that the page knows them by
        self._editor, self._notify = editor, notify
        self._faces, self._sides = Pictures(), Pictures()
        self._cards: dict[str, tuple[object, Json]] = {}  # what is told of each, and what that depends on
        self._rest: Json = {}
        self._sheets: dict[str, tuple[object, dict[str, object]]] = {}
        self._edited = (0, "")  # how often a card was edited, and which the last time
        self._lock, self._details_lock = Lock(), Lock()
        self._awaited, self._arrived, self._dpi = "", Event(), _FIRST_DPI

    def whole(self) -> Json:
        """Return everything that is shown."""
        with self._lock:
            return {**self._rest, "cards": {key: card for key, (_, card) in self._cards.items()}, "all": True}

    def publish(self, wrong: Sequence[Diagnostic] = (), *, edited: str = "") -> None:
        """Show the sets as they are now; with the key of a card, somebody has just edited it.

        `wrong` is what is wrong with the paths of the sets.
        """
        sets: dict[str, Json] = {}
        cards: dict[str, tuple[object, Json]] = {}
        for name, view in self.views.items():
            by_card = _findings_by_card(view)
            sets[name] = self._set(view, by_card.pop("", []))
            for card_id in dict.fromkeys([*view.laid, *by_card]):
                key, findings, laid = f"{name}/{card_id}", tuple(by_card.get(card_id, ())), view.laid.get(card_id)
                stamp = (laid and (laid.faces, laid.stale, laid.card.own_game), findings)
                before = self._cards.get(key)
                is_known = laid and laid.faces and before and before[0] == stamp
                cards[key] = before if before and is_known else (stamp, self._card(name, card_id, view, findings))
        self._faces.keep(card[side] for _, card in cards.values() for side in ("face", "back"))
        if edited:
            self._edited = self._edited[0] + 1, edited
        rest: Json = {
            "order": [*cards],
            "sets": sets,
            "wrong": [_without_place(finding) for finding in wrong],
            "toDo": sum(view.to_do for view in self.views.values()),
            "edited": [*self._edited],
        }
        with self._lock:
            known = {key: card for key, (_, card) in self._cards.items()}
            changed = {key: card for key, (_, card) in cards.items() if known.get(key) != card}
            news = {name: value for name, value in rest.items() if self._rest.get(name) != value}
            gone = [key for key in self._cards if key not in cards]
            self._cards, self._rest = cards, rest
        if changed or news or gone:
            self._notify({**news, "cards": changed, "gone": gone})

    def _card(self, name: str, card_id: str, view: SetView, findings: Sequence[Diagnostic]) -> Json:
        laid = view.laid.get(card_id)
        told = {"set": name, "id": card_id, "findings": [self._finding(finding, view) for finding in findings]}
        if laid is None:  # it never could be read
            words = {"name": card_id, "kind": "", "about": "", "words": card_id, "face": "", "back": "", "facts": {}}
            size = view.set.sheet.card_size if view.set else POKER
            return {**told, "stale": True, **words, "width": size.width, "height": size.height}
        card, game, faces = laid.card, game_of(laid.card), laid.faces
        size = faces.front.size if faces else size_of(card, view.set.sheet.card_size) if view.set else POKER
        facts = zip(game.columns, game.row(card), strict=True)
        return {
            **told,
            "stale": laid.stale,
            "name": card.name or card.id,
            "kind": card.kind.value,
            "about": game.about(card),
            "says": game.description(card),
            "words": game.words(card),
            "copies": card.copies,
            "width": size.width,
            "height": size.height,
            "token": bool(cut_of(card)),
            "facts": {key: value for key, value in facts if key not in _SHOWN_ELSEWHERE and value is not None},
            "face": self._faces.show(faces.front) if faces else "",
            "back": self._faces.show(faces.back) if faces and faces.back else "",
        }

    def _set(self, view: SetView, findings: Sequence[Diagnostic]) -> Json:
        return {
            "name": view.set.name if view.set else view.files.folder.resolve().name,
            "findings": [self._finding(finding, view) for finding in findings[:MAX_FINDINGS]],
            "unread": [view.name_of(file) for file in view.unread],
            "more": max(0, len(findings) - MAX_FINDINGS),
        }

    def _finding(self, finding: Diagnostic, view: SetView) -> Json:
        span = finding.span
        if span is None:
            return _without_place(finding)
        excerpt = {"excerpt": span.excerpt[:_LONGEST_EXCERPT], "mark": [*span.mark]}
        return {**_without_place(finding), **place_in_file(span, view, self._editor), **excerpt}

    # --- what is asked for ---

    def picture(self, name: str, dpi: int) -> bytes | None:
        """Return a picture of a face or of a side of a sheet, as `Pictures.png` does."""
        if name == self._awaited and not self._arrived.is_set():
            self._dpi = dpi
        return self._faces.png(name, dpi) or self._sides.png(name, dpi)

    def details(self, set_key: str, card_id: str) -> Json | None:
        """Return the details of a card; None if there is none."""
        view = self.views.get(set_key)
        laid = view.laid.get(card_id) if view else None
        if view is None or laid is None or view.set is None:
            return None
        with self._details_lock:  # rules and templates keep what they worked out last
            return card_details(laid, view, CardFaces(view.set), self._editor)

    def sheets(self, set_key: str) -> Json | None:
        """Return what is told of the sheets of a set; None if there is none."""
        view = self.views.get(set_key)
        if view is None or view.set is None:
            return None
        laid = view.laid
        with self._details_lock:
            known, told = self._sheets.get(set_key, (None, {}))
            if known is not laid:
                told = sheet_sides(view.set, tuple(each.faces for each in laid.values() if each.faces), self._sides)
                self._sheets[set_key] = laid, told
                self._sides.keep(side["picture"] for _, each in self._sheets.values() for side in each["sides"])  # type: ignore[attr-defined]
            return told

    def draw_ahead(self, key: str, patience: float) -> None:
        """Draw a card that was just edited, as a page is about to ask for it, and wait a little until a browser has it."""
        self._arrived.clear()
        self._awaited = str(self._cards[key][1]["face"])
        self._faces.png(self._awaited, self._dpi)
        self._arrived.wait(patience)

    def note_sent(self, path: str) -> None:
        """Take note that a browser has a picture."""
        if self._awaited and self._awaited in path:
            self._arrived.set()


def _without_place(finding: Diagnostic) -> Json:
    severity = {"severity": finding.severity.value}
    return {**severity, "code": finding.code, "message": finding.message, "hint": finding.hint}


def _findings_by_card(view: SetView) -> dict[str, list[Diagnostic]]:
    """Return the findings of each card, and under "" those of none; errors come first."""
    by_card: dict[str, list[Diagnostic]] = {}
    findings = sort_findings(view.findings)
    for finding in sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR):
        card = view.card_of(finding)
        is_known = card in view.laid or finding.severity is Severity.ERROR
        by_card.setdefault(card if is_known else "", []).append(finding)
    return by_card


def sheet_sides(card_set: GameSet, faces: tuple[Faces, ...], pictures: Pictures) -> dict[str, object]:
    """Return what the page tells of a set's sheets, with their faces, backs and marks; `wrong` says why there are none."""
    job = PrintJob((card_set,), faces)
    if not any(face.card.copies for face in faces):
        return {"wrong": "no card has a copy to print", "sides": []}
    try:
        imposed = [(each.job, sheets(each.job, each.options)) for each in by_size(job, card_set.sheet)]
    except ValueError as error:
        return {"wrong": str(error), "sides": []}
    count, options = sum(len(each.sheets) for _, each in imposed), card_set.sheet
    pages = islice(
        (sheet for part, each in imposed for sheet in sheet_pages(part, each, range(len(each.sheets)))), MAX_SHEETS
    )
    sides = [
        {
            "picture": pictures.show(page),
            "sheet": number,
            "side": side,
            "width": page.size.width,
            "height": page.size.height,
            "cards": list(dict.fromkeys(placement.name for placement in page.placements)),
        }
        for number, sheet in enumerate(pages, start=1)
        for page, side in zip(sheet, ("front", "back"), strict=False)
    ]
    paper = f"{options.page.width:g} × {options.page.height:g} mm"
    about = f"{plural(count, 'sheet')} of {paper}, flipped on the {options.flip.value.replace('-', ' ')}"
    return {"about": about, "sides": sides, "more": max(0, count - MAX_SHEETS), "wrong": ""}


# --- the loop ---------------------------------------------------------------------------------------------------------

_PATIENCE = 0.15  # seconds that reading waits until a browser has the new picture: both want the same processor
_LONG = 0.12  # seconds: a set that takes longer is read once nobody has saved for half a second
_NO_OUTPUTS = Path("out")


class Watching:
    """Keeps what is shown of all sets below some folders true: what was edited is shown before all is read again."""

    def __init__(
        self, folders: tuple[Path, ...], state: PreviewState, language: str = "", versions: Versions = AS_THEY_ARE
    ) -> None:
        self._state, self._views, self._language, self._versions = state, state.views, language, versions
        self._watcher = ChangeWatcher(folders, _NO_OUTPUTS)
        self._memory = RecentMemory()
        self._keys: dict[Path, str] = {}
        self._wrong: Sequence[Diagnostic] = ()  # about the paths
        self._seconds: dict[str, float] = {}  # that reading a set took last

    def run(self, listen: Listen, say: Callable[[str], None]) -> None:
        """Show the sets, and whatever changes about them, until the process ends."""
        for number, change in enumerate(self._watcher.changes(listen)):
            for files in change.gone:
                self._views.pop(self._key(files.folder), None)
            for files in change.sets:
                (files,) = in_versions(files, self._language, self._versions)[:1]
                self._update(files, frozenset(map(Path, change.files)), say, anew=change.anew)
            self._wrong = sort_findings(change.now.findings)
            self._publish("" if number else card_at_work(self._views))

    def _update(self, files: Source, changed: frozenset[Path], say: Callable[[str], None], *, anew: bool) -> None:
        """Show at once what was edited, and then all of a set; after a pause, if reading it takes long."""
        key = self._key(files.folder)
        view = self._views.setdefault(key, SetView(files, self._memory))
        # The snapshot names files by real paths, the set by the path that the user gave.
        real = files.folder.resolve()
        own = {files.folder / path.relative_to(real) if path.is_relative_to(real) else path for path in changed}
        try:
            if own and not anew and view.look_quickly(own):
                self._publish(f"{key}/{view.latest}")
                self._state.draw_ahead(f"{key}/{view.latest}", _PATIENCE)
                if self._seconds.get(key, 0.0) > _LONG:
                    self._watcher.retry(files.folder, SOON)
                    return
            began, edits = time.monotonic(), view.edits
            # Pictures are known by their real paths.
            view.update(files, own | changed, self._publish, anew=anew)
            self._publish(f"{key}/{view.latest}" if view.edits != edits else "")
            view.judge()
            self._seconds[key] = time.monotonic() - began
        except OSError as error:
            self._watcher.retry(files.folder, LATER)
            say(f"cannot read `{files.folder}`: {error.strerror or error}")

    def _publish(self, edited: str = "") -> None:
        self._state.publish(self._wrong, edited=edited)

    def _key(self, folder: Path) -> str:
        return self._keys.setdefault(folder, f"s{len(self._keys) + 1}")
