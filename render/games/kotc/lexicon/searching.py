"""Components found by words: in any form of a word, with slips of the pen, and by words of other games.

A word of the search finds a component by the closest way that finds any: the same word, another form of it, what the
game calls it, a word that begins so, and only then a word that is spelt almost so.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from render.base.patterns import regex
from render.games.kotc.languages.alike import MIN_NEAR, is_like, stem

_TOKEN = regex(r"[^\W_]+")
_ALIKE = 0.6  # of `difflib`, for words that are only offered
_MIN_BEGINNING = 2  # letters
_ALMOST, _FAR = 5, 9  # ways in which a word has another: spelt almost so, and not at all


class SearchResult(Struct, frozen=True):
    """The indexes of what was found, the closest first, and for nothing found the words that are nearest."""

    found: tuple[int, ...]
    nearest: tuple[str, ...] = ()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; both parts of one with a hyphen."""
    return _TOKEN.findall(text.lower())


def search_texts(query: str, texts: Sequence[str]) -> SearchResult:
    """Return which of the texts have all words of the query, the closest first."""
    wanted = words_of(query)
    known = [words_of(text) for text in texts]
    if not wanted:
        return SearchResult(tuple(range(len(texts))) if not query.strip() else ())
    ways = [_ways(word, known) for word in wanted]
    if all(ways):
        both = set.intersection(*(set(way) for way in ways))
        return SearchResult(tuple(sorted(both, key=lambda at: (sum(way[at] for way in ways), at))))
    lacking = [word for word, way in zip(wanted, ways, strict=True) if not way]
    return SearchResult((), tuple(dict.fromkeys(near for word in lacking for near in nearest_words(word, known))))


def nearest_words(word: str, known: Iterable[Iterable[str]]) -> list[str]:
    """Return up to three words that are spelt most like this one, of the texts and of those that stand for them."""
    vocabulary = sorted({each for words in known for each in words if len(each) >= MIN_NEAR} | set(SYNONYMS))
    return difflib.get_close_matches(word, vocabulary, n=3, cutoff=_ALIKE)


def _ways(word: str, known: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return how closely each text has a word, 0 for the word itself; texts that do not have it are left out."""
    meant = set(SYNONYMS.get(word) or SYNONYMS.get(stem(word), ()))
    found = {}
    for at, words in enumerate(known):
        way = min((_way(word, each, meant) for each in words), default=_FAR)
        if way < _FAR:
            found[at] = way
    if found or len(word) < MIN_NEAR:
        return found
    return {at: _ALMOST for at, words in enumerate(known) if any(is_like(word, each) for each in words)}


def _way(word: str, other: str, meant: set[str]) -> int:
    if word == other:
        return 0
    if stem(word) == stem(other):
        return 1
    if other in meant:
        return 2
    if any(stem(other) == stem(each) for each in meant):
        return 3
    if len(word) >= _MIN_BEGINNING and other.startswith(word):
        return 4
    return _FAR


# --- words of everyday life and of other games, and what the game calls the same thing -------------------------------

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("kill", "slay", "defeat", "murder", "eliminate"), ("destroy", "sacrifice")),
    **dict.fromkeys(("health", "life", "hitpoint", "heart"), ("hp", "hitpoint", "heal")),
    **dict.fromkeys(("gain", "cure", "recover", "restore", "regenerate"), ("heal", "hitpoint")),
    **dict.fromkeys(("power", "strength", "strong", "buff", "boost"), ("sword", "sp", "offense")),
    **dict.fromkeys(("weaken", "debuff", "weak"), ("weakness", "down", "decrease")),
    **dict.fromkeys(("protect", "armor", "defend", "prevent", "block"), ("shield", "undying", "taunt", "defense")),
    **dict.fromkeys(("immortal", "indestructible", "survive"), ("undying",)),
    **dict.fromkeys(("provoke", "lure", "guard"), ("taunt",)),
    **dict.fromkeys(("tap", "rotate", "turn", "stun"), ("exhaust", "exhaustion", "fatigue")),
    **dict.fromkeys(("tired", "sleep", "slow"), ("fatigue", "exhaust")),
    **dict.fromkeys(("freeze", "lock", "stone", "paralyze", "silence"), ("petrify", "exhaust", "fatigue")),
    **dict.fromkeys(("return", "retrieve", "recall", "unsummon"), ("bounce", "hand")),
    **dict.fromkeys(("discard", "mill"), ("destroy", "sacrifice", "bury")),
    **dict.fromkeys(("top",), ("sheathe",)),
    **dict.fromkeys(("bottom", "shuffle"), ("bury",)),
    **dict.fromkeys(("steal", "control", "charm", "possess", "mind"), ("hypnotize", "control")),
    **dict.fromkeys(("copy", "duplicate", "twin"), ("clone", "embody")),
    **dict.fromkeys(("counterspell", "cancel", "stop", "nullify"), ("negate",)),
    **dict.fromkeys(("token", "soldier"), ("pawn",)),
    **dict.fromkeys(("make", "create", "spawn"), ("craft", "summon", "clone")),
    **dict.fromkeys(("play", "put"), ("deploy", "summon", "cast", "place")),
    **dict.fromkeys(("creature", "monster", "unit", "champion", "hero"), ("minion", "creature")),
    **dict.fromkeys(("minion",), ("creature",)),
    **dict.fromkeys(("heal",), ("hitpoint",)),
    **dict.fromkeys(("mana", "land", "energy", "granary", "ramp"), ("resource", "granary", "silo")),
    **dict.fromkeys(("graveyard", "dead", "discarded", "cemetery"), ("grave", "graveyard")),
    **dict.fromkeys(("board", "field", "battlefield", "table"), ("field", "play", "battlefield")),
    **dict.fromkeys(("opponent", "foe", "rival", "player"), ("enemy", "opponent", "player")),
    **dict.fromkeys(("enemy",), ("opponent",)),
    **dict.fromkeys(("self", "me", "myself", "own"), ("yourself", "self", "you")),
    **dict.fromkeys(("look", "peek", "scry", "view"), ("see", "excavate", "reveal", "look")),
    **dict.fromkeys(("show",), ("reveal", "see")),
    **dict.fromkeys(("search", "tutor", "dig"), ("excavate", "see")),
    **dict.fromkeys(
        ("hurt", "harm", "injure", "hit", "shoot", "bolt", "fire", "deal", "strike"), ("wound", "burn", "damage")
    ),
    **dict.fromkeys(("damage",), ("wound", "burn")),
    **dict.fromkeys(("poison", "bomb"), ("damage", "voodoo")),
    **dict.fromkeys(("roll", "reroll", "d6"), ("dice", "die")),
    **dict.fromkeys(("retreat", "withdraw", "flee"), ("distract",)),
    **dict.fromkeys(("fight", "battle", "join"), ("conscript", "attack", "defend", "battlefield")),
    **dict.fromkeys(("rage", "frenzy"), ("berzerk", "berzerker")),
    **dict.fromkeys(("sneak", "stealth", "unblockable"), ("assassin",)),
    **dict.fromkeys(("doctor", "healer"), ("medic", "heal")),
    **dict.fromkeys(("die", "dies", "death"), ("destroyed", "dice")),
    **dict.fromkeys(("random",), ("randomly",)),
    **dict.fromkeys(("everyone", "everything", "mass", "wipe"), ("all", "each")),
    **dict.fromkeys(("choose", "pick", "select"), ("target",)),
    **dict.fromkeys(("spend", "cost"), ("pay", "exhaust")),
    **dict.fromkeys(("trigger", "whenever", "if"), ("when",)),
    **dict.fromkeys(("arrive", "enter", "etb"), ("summoned", "summon")),
    **dict.fromkeys(("exile", "banish"), ("remove", "bury", "petrify")),
}
"""Game words by other words; both as stems. A word of the game may stand for others of the game, of other editions."""
