"""The commands that only *Keeper of the Cards* has: one module for each."""

from collections.abc import Mapping

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Make cards": {
        "import": "Make cards of GIMP files and of pictures; update them.",
    },
    "Play": {
        "deck": "Check a deck list by the rules of its edition, and show it.",
    },
    "Design": {
        "suggest": "Suggest legal cards of a wish, those with the shortest text first.",
    },
    "Rules and editions": {
        "effects": "List what may be written on a card, with its price.",
        "migrate": "Rewrite sets for another edition of the rules.",
        "upgrade": "Take sets and their decks to another edition, and build.",
        "edition": "List, show and import the rules of editions.",
    },
}
"""The commands in the groups of the help, as `cli/main` has its own."""

CHOICES: Mapping[str, str] = {
    "editions": "render.games.kotc.commands.known_words:editions",
    "languages": "render.games.kotc.commands.known_words:languages",
}
"""What may be chosen of this game's own: where a function is that gives it with a description each."""

ALIASES: Mapping[str, str] = {"rebuild": "upgrade"}
"""Earlier names of commands, and what the commands are called now."""
