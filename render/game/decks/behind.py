"""The sets that lie behind a source. A build that has nothing to do asks, so that nothing heavy is imported."""

from __future__ import annotations

from render.game.folder import SetFiles, find_sets


def sets_behind(files: SetFiles) -> list[SetFiles]:
    """Return the sets that a source reads: a set itself, or those that a deck names, as far as they are there."""
    if files.deck is None:
        return [files]
    from render.game.decks.deck_file import read_sets

    return find_sets(read_sets(files.deck))[0]
