"""A set before it is read: what there was, and all its inputs as they are now."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from render.build.inputs import Inputs, labels_of, names_of_cards
from render.build.manifest import Manifest
from render.build.store import Store
from render.game import registry
from render.game.folder import GAME_FILE, SET_FILE, Source
from render.game.sets.named_games import game_in
from render.game.sources import sets_behind


class BuildContext(NamedTuple):
    """A set or a deck before it is read: its folder of outputs, its manifest, its inputs as they are now.

    `cards` are the names of the card files. If it is `forced`, the manifest is one that remembers nothing. `store` has the
    finished faces and pages of earlier builds. Of a folder that `is_copy` of what lies at an address, all is ours.
    """

    folder: Path
    before: Manifest
    inputs: Inputs
    cards: tuple[str, ...]
    forced: bool
    store: Store | None = None
    is_copy: bool = False


def begin(
    files: Source,
    folder: Path,
    before: Manifest,
    *,
    forced: bool = False,
    store: Store | None = None,
    is_copy: bool = False,
) -> BuildContext:
    """Record the state of everything that will be read, so that the next build notices later changes.

    If it is `forced`, everything is made again, whatever the store has.
    """
    before = before.forgotten() if forced else before
    sets = sets_behind(files)
    inputs = Inputs(labels_of(files, sets), before)
    for each in sets:
        inputs.note(each.folder / SET_FILE, *each.cards, *(file for _, file in game_in(each).rule_files(each.folder)))
        inputs.note(each.folder / GAME_FILE)  # which may not be there: once it is, all cards are of another game
    if files.deck:
        inputs.note(files.deck, *(file for each in sets[:1] for _, file in game_in(each).rule_files(files.folder)))
    homes = dict.fromkeys(place for each in sets for place in (each.folder, game_in(each).folder) if place)
    homes_of_templates = (place for each in homes for place in (each / "templates", each))
    for folder_of_templates in (*homes_of_templates, *registry.template_folders()):
        for file in sorted(folder_of_templates.glob("*.svg")):
            inputs.digest_of(file)
    return BuildContext(folder, before, inputs, names_of_cards(files, sets), forced, store, is_copy)
