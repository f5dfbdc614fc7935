"""Keys: a digest of each thing that the bytes of an output depend on, by the name that reasons use for it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from render.base.caches import cached
from render.base.resources import FONTS
from render.build.state.inputs import Inputs
from render.build.state.manifest import Key
from render.game.cards import ART, GameCard, GameSet, home_of, is_picture
from render.game.registry import game_of
from render.text.fonts import FILES

CARDS, TEMPLATES = "cards", "templates"
"""The parts of a key with a digest for each of several cards, and for each of their templates."""

ORDER = "order of the cards"
_FONT, _SET, _OPTIONS, _PICTURE = "font", "set", "options", "picture"
_OURS = frozenset({CARDS, TEMPLATES, _FONT, _SET, _OPTIONS, _PICTURE})
"""Parts of the key of a picture that are no fields of its card, though a game may have fields of these names."""

_SHORT = 40  # characters: of what is longer, no two cards have the same, so that its digest is not kept


def key_digest(value: object) -> str:
    """Return a digest of a value's `repr`: of numbers, texts and values made of these."""
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


_OF_WHOLE_CARD = re.compile(r"\bcard\b(?!\s*\.\s*(?:face|id|kind|set|least_type)\b)")
"""What a template says that may show more of a double-faced card than one of its faces, and what both share."""

_known_digest = cached(4096)(key_digest)  # cards share kinds, editions, credits and small numbers


def _text_of(file: Path) -> str:
    """Return the text of a template; "" if there is none, as in a place where one would take precedence."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class Keys:
    """Gives the keys of the outputs of one set.

    `read` are the labels of the files that each template depended on when it was last drawn. Whether they still are
    inputs is known only when it is drawn again; the caller counts them as inputs.
    """

    def __init__(self, card_set: GameSet, inputs: Inputs, read: Mapping[str, Sequence[str]], program: str) -> None:
        self._set, self._inputs, self._read = card_set, inputs, read
        self._game = game_of(card_set)
        self._fonts = key_digest([inputs.digest_of(FONTS / name) for name in sorted(FILES.values())])
        self._program = program[:16]  # 64 bits, as of all digests in keys
        shared = [self._game.shared_parts(part) for part in card_set.parts] or self._game.shared_parts(card_set)
        self._shape = key_digest((shared, card_set.sheet.card_size))
        self._templates: dict[str, str] = {}
        self._cards: dict[str, Key] = {}
        self._kinds: dict[str, str] = {}
        self._fronts: dict[str, str] = {}
        self._of_one_face: dict[str, bool] = {}

    def picture(self, card: GameCard, options: str) -> Key:
        """Return the key of a picture of a card's front, for options with that digest."""
        return {**self._of_side(card, 0), **self._of_picture(card.template_name, options)}

    def own_back(self, card: GameCard, options: str) -> Key:
        """Return the key of a picture of the back of a card that has its own, for options with that digest."""
        return {**self._of_side(card, 1), **self._of_picture(card.back, options)}

    def _of_picture(self, template: str, options: str) -> Key:
        """Return what pictures by one template have in common."""
        return {**self._common([template]), _OPTIONS: options}

    def sides(self, card: GameCard) -> str:
        """Return a digest of all that a card's scenes depend on: of its front, and of its back if that is its own."""
        if card.id not in self._fronts:
            kinds = card.own_templates
            for kind in kinds:
                if kind not in self._kinds:
                    self._kinds[kind] = key_digest(self._common([kind]))
            of_kinds = [self._kinds[kind] for kind in kinds]
            self._fronts[card.id] = key_digest((tuple(self._of_front(card).items()), *of_kinds))
        return self._fronts[card.id]

    def sheets(self, copies: Iterable[tuple[GameCard, int]], options: object) -> Key:
        """Return the key of a file with both faces of cards, each with its number of copies, in this order."""
        counted = list(copies)
        drawn = {card.template_name for card, _ in counted}
        drawn.update(card.back for card, _ in counted if not is_picture(card.back))
        return {
            CARDS: {card.id: self._of_faces(card, number) for card, number in counted},
            ORDER: key_digest([card.id for card, _ in counted]),
            **self._common(sorted(drawn)),
            "name of the set": key_digest(self._set.name),
            _OPTIONS: key_digest(options),
        }

    def gallery(self, cards: Iterable[GameCard], backs: Sequence[GameCard], page: Iterable[str]) -> Key:
        """Return the key of a page with the words of cards, and the backs of some of them.

        `page` are the labels of its templates.
        """
        shown = list(cards)
        pictures = [self._inputs.digest_of(home_of(card) / card.back) for card in backs if is_picture(card.back)]
        return {
            CARDS: {card.id: key_digest(self._words_of(card)) for card in shown},
            ORDER: key_digest([card.id for card in shown]),
            **self._common(sorted({card.back for card in backs if not is_picture(card.back)})),
            "backs": key_digest([[card.back for card in shown], pictures]),
            # The gallery's page is the program's own, so its files are known without drawing it.
            "page": key_digest([self._set.language, *(self._inputs.digest(label) for label in page)]),
            "name of the set": key_digest(self._set.name),
        }

    def _words_of(self, card: GameCard) -> object:
        return card.name, self._game.about(card), self._game.words(card), self._game.facts(card)

    def _of_side(self, card: GameCard, face: int) -> Key:
        """Return what a picture of a card's front or own back is made from; of that face alone if it shows no more."""
        if card.has_own_back and self._keeps_to_its_face(card.own_templates[face]):
            return dict(self._front_parts(card.faces[face]))
        return self._of_front(card)

    def _keeps_to_its_face(self, template: str) -> bool:
        """Return whether a template of one side shows of its card nothing but this face and what both share."""
        if template not in self._of_one_face:
            files = [
                self._inputs.labels.file(label) for label in self._read.get(template, ()) if label.endswith(".svg")
            ]
            texts = [_text_of(file) for file in files]
            self._of_one_face[template] = bool(files) and not any(_OF_WHOLE_CARD.search(text) for text in texts)
        return self._of_one_face[template]

    def _of_front(self, card: GameCard) -> Key:
        if card.id not in self._cards:
            self._cards[card.id] = dict(self._front_parts(card))
        return self._cards[card.id]

    def _front_parts(self, card: GameCard) -> Iterator[tuple[str, str]]:
        for name, value in self._game.parts(card).items():
            is_long = isinstance(value, str) and len(value) > _SHORT
            part = f"field `{name}`" if name in _OURS else name
            yield part, key_digest(value) if is_long else _known_digest(value)
        for key, picture in card.pictures.items():
            yield _PICTURE if key == ART else f"picture `{key}`", self._inputs.digest_of(picture.file)[:16]

    def _of_faces(self, card: GameCard, copies: int) -> str:
        back = self._inputs.digest_of(home_of(card) / card.back) if is_picture(card.back) else ""
        return key_digest((list(self._of_front(card).values()), copies, card.back, back))

    def _common(self, templates: Sequence[str]) -> Key:
        return {
            TEMPLATES: {name: self._of_template(name) for name in templates},
            _FONT: self._fonts,
            "program version": self._program,
            _SET: self._shape,
        }

    def _of_template(self, name: str) -> str:
        if name not in self._templates:
            files = self._read.get(name, ())
            self._templates[name] = key_digest([name, *((label, self._inputs.peek(label)) for label in files)])
        return self._templates[name]
