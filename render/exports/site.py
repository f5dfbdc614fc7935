"""The site of sets: a folder of pages that opens without a server, with pictures, figures and a search; and the gallery.

A page lists the first cards, and finds the others by `site.js` in the shards of `data`; further pages list them for
browsers without scripts. There is a page and a JSON file for each card, and pages of figures and decks. Each language
has such a site, the first one at the top. The gallery of a set is the same list as one file beside its PNGs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any

import yaml
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.resources import TEMPLATES
from render.exports.site_cards import CardFate, Field, SiteCard, Value, Version, cards_of, fields_of
from render.game import figures
from render.game.cards import GameSet, home_of, homes
from render.game.faces import Faces, cards_by_back
from render.game.figures import Figures
from render.game.file_names import folded
from render.game.registry import game_of
from render.layout.templates import rendering
from render.png.paint import data_uris
from render.scene.items import Scene

Values = dict[str, Any]
Chosen = Sequence[tuple[GameSet, Sequence[Faces]]]

A_PAGE = 120
"""Cards on a page: what is drawn within a second, and what a search shows at once."""

_A_SHARD = 500  # cards in a script file


class SiteOptions(Struct, frozen=True):
    """What a site is called ("": as its sets), the address that it will have (for previews of links), and its theme.

    `history` has the versions of which pages of cards tell, newest first.
    """

    title: str = ""
    url: str = ""
    theme: bytes | None = None
    history: tuple[Version, ...] = ()


class Part(Struct, frozen=True, kw_only=True):
    """The site in one language: its folder in the site with `/` at the end, "" for the top; its sets and its decks.

    A deck has its cards with their copies. `scenes` are the drawn sides of cards, by the names of their pictures.
    """

    language: str
    folder: str
    sets: tuple[tuple[GameSet, tuple[SiteCard, ...]], ...]
    decks: tuple[tuple[GameSet, tuple[tuple[SiteCard, int], ...]], ...]
    scenes: Mapping[str, Scene]

    @property
    def cards(self) -> list[SiteCard]:
        return [card for _, cards in self.sets for card in cards]


def parts_of(chosen: Chosen) -> list[Part]:
    """Return the parts of a site, one for each language, that of the first set first.

    Cards without a language are in all of them. A deck brings those of its cards whose sets are not chosen.
    """
    languages = dict.fromkeys(card_set.language for card_set, _ in chosen if card_set.language) or {"": None}
    return [_part(language, chosen, number == 0) for number, language in enumerate(languages)]


def _part(language: str, chosen: Chosen, is_first: bool) -> Part:
    own = [(card_set, faces) for card_set, faces in chosen if card_set.language in (language, "")]
    folder = "" if is_first else f"{language}/"
    drawn: dict[Path, dict[str, Faces]] = {}
    of: dict[Path, GameSet] = {card_set.folder: card_set for card_set, _ in own if not card_set.deck}
    for card_set, faces in sorted(own, key=lambda one: one[0].deck is not None):
        for home in homes(card_set) if card_set.deck else ():
            of.setdefault(home.folder, home)
        for each in faces:
            drawn.setdefault(home_of(each.card), {}).setdefault(each.card.id, each)
    sets, scenes = [], {}
    known: dict[tuple[Path, str], SiteCard] = {}
    names = _names(of.values())
    for place, card_set in of.items():
        cards = cards_of(card_set, (each.card for each in drawn.get(place, {}).values()), names[place])
        known |= {(place, card.id): card for card in cards}
        sets.append((card_set, tuple(cards)))
        for card, each in zip(cards, drawn.get(place, {}).values(), strict=True):
            for side, scene in zip(card.sides, (each.front, each.back), strict=False):
                assert scene is not None  # a card with its own back has one
                scenes[f"{folder}{card.file}{side.suffix}"] = scene
    decks = tuple(
        (deck, tuple((known[home_of(each.card), each.card.id], each.card.copies) for each in faces))
        for deck, faces in own
        if deck.deck
    )
    return Part(language=language or "en", folder=folder, sets=tuple(sets), decks=decks, scenes=scenes)


def _names(sets: Iterable[GameSet]) -> dict[Path, str]:
    """Return a name for the folder of each set, unlike all others on any system, and that means itself in an address."""
    names: dict[Path, str] = {}
    for card_set in sets:
        wanted, number = _NO_ADDRESS.sub("-", card_set.output_name), 2
        name = wanted
        while folded(name) in map(folded, names.values()):
            name, number = f"{wanted}-{number}", number + 1
        names[card_set.folder] = name
    return names


_NO_ADDRESS = re.compile(r"""[\x00-\x1f"#$%&'*:<>?\\|\ud800-\udfff]+""")


def site_files(parts: Sequence[Part], options: SiteOptions) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a site but its pictures, by their names with `/`."""
    for name in ("site.css", "site.js"):
        yield name, _template(name).encode("utf-8")
    if options.theme is not None:
        yield "theme.css", options.theme
    for part in parts:
        yield from ((f"{part.folder}{name}", data) for name, data in _Pages(part, parts, options).files())


def gallery(card_set: GameSet, backs: Mapping[str, Scene]) -> str:
    """Return a page that shows the pictures in the folder `png` beside it.

    `backs` are the drawn backs, by the id of the first card that has each.
    """
    cards = cards_of(card_set, card_set.cards, "", judged=False)
    part = Part(language=card_set.language or "en", folder="", sets=((card_set, tuple(cards)),), decks=(), scenes={})
    return _Pages(part, [part], SiteOptions(), is_alone=True).gallery(backs)


@cached(4)
def _template(name: str) -> str:
    return (TEMPLATES / "site" / name).read_text(encoding="utf-8")


@cached(8)
def words_in(language: str) -> Mapping[str, Any]:
    """Return the words of a site in a language, or in English where there are none."""
    known = yaml.safe_load(_template("words.yaml"))
    return {**known["en"], **(known.get(language) or known.get(language.split("-")[0]) or {})}


class _Pages:
    """The pages of a part; of one that `is_alone`, in a file of its own."""

    def __init__(self, part: Part, parts: Sequence[Part], options: SiteOptions, *, is_alone: bool = False) -> None:
        self.part, self.parts, self.options, self.is_alone = part, parts, options, is_alone
        self.words, self.cards = words_in(part.language), part.cards
        only = {card_set.name for card_set, _ in part.sets}
        self.title = options.title or (only.pop() if len(only) == 1 else self.words["all_cards"])
        self.root = "../" * part.folder.count("/")
        self.fields = fields_of(self.cards)
        hidden = {"text", "id", "credit", "copies", "legal", *(() if only else ("set",))}
        self.columns = [each for each in self.fields if each.name not in hidden]
        names = [game_of(card_set).icon_names for card_set, _ in part.sets]
        self.icons = {icon: str(escape(name)) for of in names for icon, name in of.items()}
        self._labels = {each.name: self._label(each) for each in self.fields}
        self._kinds: dict[object, str] = {card.card.kind.value: card.facts.kind for card in self.cards}
        self.in_decks: dict[str, list[Values]] = {}
        for number, (deck, counted) in enumerate(part.decks, start=1):
            for card, copies in counted:
                entry = {"page": f"decks.html#part-{number}", "name": deck.name, "count": copies}
                self.in_decks.setdefault(card.file, []).append(entry)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of the part, by their names in its folder."""
        starts = range(0, max(len(self.cards), 1), A_PAGE)
        names = ["index.html", *(f"all-{number}.html" for number in range(2, len(starts) + 1))]
        shards = range(0, len(self.cards), _A_SHARD)
        scripts = [f"data/cards-{number}.js" for number in range(1, len(shards) + 1)]
        for start, name in zip(starts, names, strict=True):
            pages = [{"file": file, "number": at, "here": file == name} for at, file in enumerate(names, start=1)]
            more = {"pages": pages, "shards": [f"{self.part.folder}{each}" for each in scripts]}
            yield (
                name,
                self._page(
                    "index", {**self._list(self.cards[start : start + A_PAGE], is_first=not start), **more}, name
                ),
            )
        for start, script in zip(shards, scripts, strict=True):
            entries = json.dumps(
                [self._entry(card) for card in self.cards[start : start + _A_SHARD]], ensure_ascii=False
            )
            yield script, f"(window.siteCards ??= []).push({entries});\n".encode()
        others = {
            other.language: {card.file: card for card in other.cards} for other in self.parts if other is not self.part
        }
        for card, before, after in zip(self.cards, [None, *self.cards], [*self.cards[1:], None], strict=False):
            yield f"cards/{card.file}.html", self._card(card, before, after, others)
            yield (
                f"cards/{card.file}.json",
                (json.dumps(self._data(card), ensure_ascii=False, indent=1) + "\n").encode(),
            )
        yield "figures.html", self._figures()
        if self.part.decks:
            yield "decks.html", self._decks()

    def gallery(self, backs: Mapping[str, Scene]) -> str:
        listed = self._list(self.cards, is_first=True)
        shown = {"backs": list(self._backs(backs)), "script": Markup(_template("site.js"))}
        return self._page("index", {**listed, **shown}, "gallery.html").decode("utf-8")

    def _page(self, name: str, values: Values, file: str, title: str = "") -> bytes:
        top = "../" * file.count("/")
        common = {
            "language": self.part.language, "page_title": f"{title} – {self.title}" if title else self.title,
            "title": title or self.title, "site": self.title, "w": self.words, "top": top, "root": top + self.root,
            "shards": [], "script": "", "backs": [], "pages": [], "sides": None,
            "themed": self.options.theme is not None, "url": self.options.url, "has_decks": bool(self.part.decks),
            "style": Markup(_template("site.css")) if self.is_alone else "",
            "others": [
                {
                    "page": f"{top}{self.root}{other.folder}index.html", "language": other.language,
                    "name": words_in(other.language)["language"],
                }
                for other in self.parts
                if other is not self.part
            ],
        }  # fmt: skip
        return rendering.page(f"site/{name}", {**common, **values}).encode("utf-8", "backslashreplace")

    # --- all cards -----

    def _list(self, cards: Sequence[SiteCard], *, is_first: bool) -> Values:
        """Return what a page of a list shows, and what its script needs to list other cards."""
        w = self.words
        pages = (
            ("png/%.png",) * 3
            if self.is_alone
            else ("cards/%.html", *(f"{self.root}{each}/{self.part.folder}%.webp" for each in ("thumbs", "pictures")))
        )
        settings = {
            "fields": [
                {"name": each.name, "short": each.short, "is_number": each.is_number, "order": [*map(_plain, each.order)]}
                for each in self.fields
            ],
            "words": {name: w[name] for name in ("select", "print", "unknown", "fields", "none", "of", "cards")},
            "columns": [each.name for each in self.columns if each.name != "name"], "count": A_PAGE, "icons": self.icons,
            "is_first": is_first, "alone": self.is_alone, **dict(zip(("page", "thumb", "picture"), pages, strict=True)),
            **({"cards": [self._entry(card) for card in self.cards]} if self.is_alone else {}),
        }  # fmt: skip
        blank = {
            name: Markup(f"%{name}%")
            for name in "anchor shape page picture width height back language name about text".split()
        }
        return {
            "here": "cards", "cards": [self._item(card) for card in cards], "blank": {**blank, "turn": w["turn"]},
            "columns": [{"name": each.name, "label": self._label(each)} for each in self.columns],
            "fields": [{"name": each.name, "short": each.short} for each in self.fields], "help": self._help(), "example": self._example(),
            "facets": [
                {"name": each.name, "label": self._label(each), "values": [*map(_number, each.order)]}
                for each in sorted(self.fields, key=lambda each: each.name in ("legal", "credit", "copies"))
                if each.is_facet
            ],
            "sorts": [{"name": each.name, "label": self._label(each)} for each in self.columns],
            "count": f"{len(self.cards)} {w['cards']}", "credits": self._credits() if is_first else [],
            "settings": Markup(json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c")),
        }  # fmt: skip

    def _item(self, card: SiteCard) -> Values:
        """Return what a list shows of a card."""
        thumb = (
            f"png/{card.id}{{}}.png" if self.is_alone else f"{self.root}thumbs/{self.part.folder}{card.file}{{}}.webp"
        )
        front, *back = card.sides
        return {
            "anchor": card.id if self.is_alone else f"{card.home}-{card.id}", "name": card.name, "language": card.language,
            "page": f"png/{card.id}.png" if self.is_alone else f"cards/{card.file}.html", "picture": thumb.format(""),
            "shape": _shape(card.is_token), "width": _mm(front.size.width), "height": _mm(front.size.height), "turn": self.words["turn"],
            "back": thumb.format(back[0].suffix) if back else "", "about": self._with_icons(card.about), "text": self._with_icons(card.text),
            "cells": [
                Markup(", ").join(self._with_icons(_number(value)) for value in card.terms.get(each.name, ()))
                for each in self.columns
                if each.name != "name"
            ],
        }  # fmt: skip

    def _entry(self, card: SiteCard) -> Values:
        """Return what the script knows of a card; what it has once is not among its values."""
        own = {"text": None, "id": None, "name": None if card.terms["name"] == (card.name,) else card.terms["name"]}
        return {
            "home": card.home, "id": card.id, "name": card.name, "about": card.about, "text": card.text,
            "language": card.language, "shape": _shape(card.is_token),
            "sides": [(side.suffix, _mm(side.size.width), _mm(side.size.height)) for side in card.sides],
            "values": [_values({**card.terms, **own}.get(each.name)) for each in self.fields],
        }  # fmt: skip

    def _with_icons(self, text: str) -> Markup:
        """Return a text of a card as HTML: its lines, and each icon with its name."""
        marked = _ICON.sub(
            lambda icon: f'<abbr title="{self.icons.get(icon[1], icon[1])}">{icon[0]}</abbr>', str(escape(text))
        )
        return Markup(re.sub("\n+", "<br>", marked))

    def _label(self, field: Field) -> str:
        return str(self.words["field"].get(field.name, field.label))

    def _help(self) -> list[tuple[list[str], str]]:
        number = next((each.name for each in self.fields if each.is_number), "copies")
        w = self.words
        return [
            (["castle 4"], w["words"]), (['"draw 2 cards"'], w["exact"]), (["-draw", "-(draw 2)"], w["not"]),
            (["fox or cat"], w["or"]), (["text:draw", "name=fox"], w["value"]), ([f"{number}>=2", f"{number}!=3"], w["number"]),
            ([f"sort:{number}", "sort:-name"], w["order_by"]),
        ]  # fmt: skip

    def _example(self) -> str:
        """Return a query that these cards answer, to show in the empty box."""
        kind = next((card.facts.kind for card in self.cards), "")
        number = next((each for each in self.columns if each.is_number), None)
        return " ".join([*([f"kind:{kind}"] if " " not in kind else []), *([f"{number.name}>=2"] if number else [])])

    def _credits(self) -> list[Values]:
        of: dict[str, list[SiteCard]] = {}
        for card in self.cards:
            for line in dict.fromkeys(card.facts.credits):
                of.setdefault(line, []).append(card)
        return [{"line": line, **self._whose(cards)} for line, cards in of.items()]

    def _whose(self, cards: Sequence[SiteCard]) -> Values:
        """Return which cards something is of: all, or some by their names."""
        page = "#{0.id}" if self.is_alone else "cards/{0.file}.html"
        named = [{"page": page.format(card), "name": card.name} for card in cards]
        return {"cards": named if len(cards) < len(self.cards) else [], "all": self.words["all"]}

    def _backs(self, backs: Mapping[str, Scene]) -> Iterator[Values]:
        cards = {card.id: card for card in self.cards}
        alike = [each for card_set, _ in self.part.sets for each in cards_by_back(card_set, backs)]
        for (scene, same), picture in zip(alike, data_uris([scene for scene, _ in alike]), strict=True):
            called, shape = PurePath(same[0].back).stem, _shape(bool(scene.cut))
            whose = self._whose([cards[each.id] for each in same])
            size = {"width": _mm(scene.size.width), "height": _mm(scene.size.height)}
            yield {"picture": picture, "shape": shape, **size, "name": called[:1].upper() + called[1:], **whose}

    # --- one card -----

    def _card(
        self,
        card: SiteCard,
        before: SiteCard | None,
        after: SiteCard | None,
        others: Mapping[str, Mapping[str, SiteCard]],
    ) -> bytes:
        derivation = game_of(card.card).derivation(card.card, card.card_set)
        shown = {
            "name": card.name, "about": self._with_icons(card.about), "text": self._with_icons(card.text), "language": card.language,
            "alt": card.sides[0].alt, "shape": _shape(card.is_token), "front": f"{self.part.folder}{card.file}",
            "sides": [
                {"file": f"{self.part.folder}{card.file}{side.suffix}", "alt": side.alt, "width": _mm(side.size.width), "height": _mm(side.size.height)}
                for side in card.sides
            ],
            "rows": [(label, Markup(", ").join(map(self._with_icons, values))) for label, values in self._facts(card)],
            "credits": list(dict.fromkeys(card.facts.credits)), "legal": card.legal, "illegal": list(card.illegal.items()),
            "decks": self.in_decks.get(card.file, []),
            "languages": [
                {"page": f"{part.folder}cards/{card.file}.html", "language": part.language, "name": of[card.file].name}
                for part in self.parts
                if (of := others.get(part.language)) and card.file in of
            ],
            "history": list(self._history(card)),
            "derivation": derivation
            and {
                "summary": derivation.summary,
                "steps": [(each.words, each.amount, " ".join(filter(None, (each.role, each.note)))) for each in derivation.steps],
            },
        }  # fmt: skip
        values = {
            "card": shown, "here": "", "here_file": f"{self.part.folder}cards/{card.file}.html", "data": f"{card.id}.json",
            "previous": before and self._item(before), "next": after and self._item(after),
        }  # fmt: skip
        return self._page("card", values, f"cards/{card.file}.html", card.name)

    def _facts(self, card: SiteCard) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the rank of a card and its traits, by what people call them."""
        if card.facts.rank is not None:
            yield card.facts.rank_label, [str(card.facts.rank)]
        yield from ((trait.label, trait.values) for trait in card.facts.traits if trait.values)

    def _versions(self, card: SiteCard) -> Iterator[tuple[str, CardFate]]:
        """Yield the versions that changed a card, newest first, by their names, and what it became in each."""
        folder, name = Path(os.path.realpath(card.card_set.folder)), card.id
        for version in self.options.history:
            if fate := version.cards.get((folder, card.card_set.foreign, name)):
                yield version.name, fate
                name = fate.was or name
                if fate.is_new:  # a card that had its id before is another one
                    return

    def _history(self, card: SiteCard) -> Iterator[Values]:
        for version, fate in self._versions(card):
            yield {
                "version": version or self.words["now"], "is_new": fate.is_new, "was": fate.was,
                "values": [
                    {
                        "label": self.words["field"].get(each.key, each.key), "old": each.old, "new": each.new,
                        "runs": each.runs,
                    }
                    for each in fate.values
                ],
            }  # fmt: skip

    def _data(self, card: SiteCard) -> Values:
        """Return what the JSON file beside a card's page says: what the card shows, and nothing of its source."""
        size = card.sides[0].size
        return {
            "id": card.id, "name": card.name, "names": list(card.terms["name"]), "set": card.card_set.name, "language": card.language, "kind": card.facts.kind,
            "about": card.about, "text": card.text, "copies": card.card.copies,
            "facts": {label: [*map(str, values)] for label, values in self._facts(card)},
            "credits": list(dict.fromkeys(card.facts.credits)), "legal_in": card.legal,
            "pictures": [f"{self.root}../../pictures/{self.part.folder}{card.file}{side.suffix}.webp" for side in card.sides],
            "size_mm": [size.width, size.height],
            "history": [
                {
                    "version": version, "new": fate.is_new, "was": fate.was,
                    "values": {each.key: [each.old, each.new] for each in fate.values},
                }
                for version, fate in self._versions(card)
            ],
        }  # fmt: skip

    # --- figures -----

    def _figures(self) -> bytes:
        counted = [_counted(card_set, cards) for card_set, cards in self.part.sets]
        shown = [
            {
                "name": each.name,
                "about": f"{each.cards} {self.words['cards']}",
                "cards": [],
                "charts": list(self._charts(each, cards)),
            }
            for each, (_, cards) in zip(counted, self.part.sets, strict=True)
        ]
        sides = {"names": [each.name for each in counted], "rows": self._sides(counted)} if len(counted) > 1 else None
        values = {"here": "figures", "shown": shown, "sides": sides}
        return self._page("figures", values, "figures.html", self.words["figures"].capitalize())

    def _sides(self, counted: Sequence[Figures]) -> list[tuple[str, list[str]]]:
        """Return rows of figures with a column for each set: the cards of each kind, and the means of numbers."""
        curves = [{curve.name: curve for curve in each.curves} for each in counted]
        kinds = [
            {kind: each.total() for kind, each in of["kind"].counts.items()} if "kind" in of else {} for of in curves
        ]
        rows = [(self.words["cards"], [str(each.cards) for each in counted])]
        for kind in dict.fromkeys(kind for of in kinds for kind in of):
            rows += [(self._kinds.get(kind, str(kind)), [str(of.get(kind, "–")) for of in kinds])]
        texts = {name: text for _, cards in self.part.sets for name, text in _texts_of(cards).items()}
        for name in dict.fromkeys(name for of in curves for name, curve in of.items() if curve.is_number):
            means = (of[name].mean if name in of and of[name].is_number else None for of in curves)
            row = ["–" if mean is None else f"{round(float(mean), 2):g}" for mean in means]
            rows.append((f"{texts.get(name) or self._labels.get(name, name)} ({self.words['mean']})", row))
        return rows

    def _charts(self, counted: Figures, cards: Sequence[SiteCard], *, odds: bool = False) -> Iterator[Values]:
        """Yield a chart for the kinds and for each number and choice of cards, perhaps with the odds of each in a hand."""
        w, texts = self.words, _texts_of(cards)
        for curve in counted.curves:
            rows = figures.rows_of(curve)
            if len(rows) < 2:  # which tells nobody anything
                continue
            most = max(of_kind.total() for _, of_kind, _ in rows) or 1
            label = texts.get(curve.name) or self._labels.get(curve.name, curve.name.replace("_", " "))
            yield {
                "caption": label, "head": [label, w["cards"], *([w["odds"], *([w["or_less"]] * curve.is_number)] if odds else [])],
                "rows": [
                    {
                        "name": self._kinds.get(value, value) if curve.name == "kind" else texts.get(value, value),
                        "cells": [
                            of_kind.total() or "",
                            *(figures.odds_of(counted, each) for each in (of_kind.total(), *([up_to] * curve.is_number)) if odds),
                        ],
                        "width": figures.share(Fraction(of_kind.total(), most)),
                    }
                    for value, of_kind, up_to in rows
                ],
            }  # fmt: skip

    def _decks(self) -> bytes:
        shown = []
        for deck, cards in self.part.decks:
            counted = _counted(deck, [card for card, _ in cards], [copies for _, copies in cards])
            listed = [
                {
                    **self._item(card),
                    "count": copies,
                    "odds": f"{self.words['odds']} {figures.odds_of(counted, copies)}",
                }
                for card, copies in cards
            ]
            about = f"{counted.cards} {self.words['cards']}; {self.words['odds']} {self.words['hand']} {counted.hand}"
            charts = list(self._charts(counted, [card for card, _ in cards], odds=True))
            shown.append({"name": deck.name, "about": about, "cards": listed, "charts": charts})
        return self._page("figures", {"here": "decks", "shown": shown}, "decks.html", self.words["decks"].capitalize())


def _shape(is_token: bool) -> str:
    return " token" if is_token else ""


def _texts_of(cards: Sequence[SiteCard]) -> Mapping[str, str]:
    """Return what people call the fields and choices of cards of one game."""
    return game_of(cards[0].card).texts_of(cards[0].card) if cards else {}


def _counted(card_set: GameSet, cards: Iterable[SiteCard], copies: Iterable[int] | None = None) -> Figures:
    """Return cards of a set in figures, with their own copies or with these."""
    each = [card.card for card in cards]
    if copies is not None:
        each = [replace(card, copies=number) for card, number in zip(each, copies, strict=True)]
    return figures.figures_of(replace(card_set, cards=tuple(each)), game_of(card_set).hand)


def _number(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _plain(value: Value) -> Value:
    """Return a whole number without its point, as it stands in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _values(values: Sequence[Value] | None) -> list[Value] | None:
    return None if values is None else [*map(_plain, values)]


def _mm(length: float) -> float:
    return round(length, 2)


_ICON = re.compile(r"\{([^{}\s]+)\}")
