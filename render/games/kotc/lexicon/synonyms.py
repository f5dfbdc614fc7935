"""Words that people know from everyday life and from other games, and what the game calls the same thing.

The words of the game are those of its rulebooks ("Keywords", "Counters", "Zones"), from the 9th Edition to the 17th.
"""

from __future__ import annotations

from collections.abc import Mapping

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
