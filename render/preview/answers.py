"""Which address gives what. Nothing is looked up on the disk by an address: the page's own files are read at the
start, and all else by ids of what was drawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from render.base.resources import TEMPLATES
from render.game.faces import CardFaces
from render.preview.board import Board, Told, as_json
from render.preview.details import details
from render.preview.sheet_views import sheet_sides
from render.preview.watching import Watching

PAGE = TEMPLATES / "preview"

_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_INDEX = "index.html"
EVENTS = "events"
_PICTURE = re.compile(r"pictures/([0-9a-f]{24})/([1-9][0-9]{1,2})\.png")
_CARD = re.compile(r"cards/(s[1-9][0-9]{0,5})/([a-z0-9_-]{1,200})")
_SHEETS = re.compile(r"sheets/(s[1-9][0-9]{0,5})")

_FOR_EVER = "private, max-age=31536000, immutable"  # an id stands for the same picture for ever


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent: content and its type. `kept` says how long a browser may keep it, `location` where to go on."""

    content: bytes
    kind: str
    kept: str = "no-store"
    status: int = 200
    location: str = ""


NOT_FOUND = Answer(b"there is nothing at this address\n", "text/plain; charset=utf-8", status=404)


class Answers:
    """Answers what browsers ask, in whichever thread; what is worked out on the way is kept until it changes."""

    def __init__(self, board: Board, watching: Watching) -> None:
        self._board, self._watching = board, watching
        self._files = {"" if file.name == _INDEX else file.name: _page_file(file) for file in sorted(PAGE.iterdir())}
        self._lock = Lock()

    def answer(self, path: str) -> Answer:
        """Return what is at a path behind the token."""
        if path in self._files:
            return self._files[path]
        if match := _PICTURE.fullmatch(path):
            return self._picture(match[1], int(match[2]))
        if match := _CARD.fullmatch(path):
            return _json_answer(self._card(match[1], match[2]))
        if match := _SHEETS.fullmatch(path):
            return _json_answer(self._sheets(match[1]))
        return NOT_FOUND

    def _picture(self, name: str, dpi: int) -> Answer:
        made = self._board.picture(name, dpi)
        return Answer(made, "image/png", _FOR_EVER) if made else NOT_FOUND

    def _card(self, set_key: str, card: str) -> Told | None:
        view = self._watching.views.get(set_key)
        laid = view.laid.get(card) if view else None
        if view is None or laid is None or view.set is None:
            return None
        with self._lock:  # rules and templates keep what they worked out last
            return details(laid, view, CardFaces(view.set), self._board.editor)

    def _sheets(self, set_key: str) -> Told | None:
        view = self._watching.views.get(set_key)
        if view is None or view.set is None:
            return None
        card_set, laid = view.set, view.laid
        faces = tuple(each.faces for each in laid.values() if each.faces)
        with self._lock:
            return self._board.sheets(set_key, laid, lambda drawings: sheet_sides(card_set, faces, drawings))


def _page_file(file: Path) -> Answer:
    return Answer(file.read_bytes(), f"{_KINDS[file.suffix]}; charset=utf-8")


def _json_answer(told: Told | None) -> Answer:
    if told is None:
        return NOT_FOUND
    return Answer(as_json(told), "application/json")
