"""Sets before they go to another edition: what is kept of them, and what a build is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from render.build.compare import appearance
from render.build.compare.appearance import SetDigests
from render.build.compare.diff import Baseline, against
from render.build.state import manifest, sealed_values
from render.game.faces import lay_out_valid
from render.game.folder import is_table
from render.games.kotc.drawing import card_pictures
from render.games.kotc.migration.report import cards_to_show
from render.games.kotc.model.cards import CardSet, ordinal
from render.games.kotc.rebuild.transition import SetTransition
from render.games.kotc.rebuild.unfinished import Before


@dataclass(frozen=True, slots=True)
class SavedState:
    """A set as it was: what is kept of it until all is done, and the baseline of the build."""

    kept: Before
    baseline: Baseline


def start(transition: SetTransition, made: Callable[[int], object] = lambda _: None) -> SavedState:
    """Return a set as it was; what an earlier run kept comes first. `made` is called for each picture."""
    drawn = lay_out_valid(transition.before)
    looks = appearance.of(transition.before, drawn)
    since = f"before the {ordinal(transition.migration.edition)} Edition"
    if transition.kept:
        return SavedState(transition.kept, against(_kept_looks(transition.kept, looks), since))
    shown = card_pictures.pictures(drawn, cards_to_show(transition.migration)[0], made)
    said = manifest.text(appearance.as_manifest(looks, transition.before.name))
    new_texts = {change.file.name: change.after for change in transition.files}
    return SavedState(Before(_texts(transition.before), new_texts, shown, said), against(looks, since))


def _kept_looks(kept: Before, again: SetDigests) -> SetDigests:
    """Return the earlier looks of cards: as drawn again, which can be painted, unless that gives another picture."""
    try:
        known = appearance.remembered(manifest.parsed(sealed_values.loaded(kept.looks.encode("utf-8"))))
    except sealed_values.NOT_EXACT:
        return again
    return known if known and known != again else again


def _texts(card_set: CardSet) -> dict[str, str]:
    """Return the texts of all files of a set, by name."""
    documents = [card_set.source[0]] if card_set.source else []
    documents += {id(card.document): card.document for card in card_set.cards}.values()
    return {document.file.name: document.text for document in documents if not is_table(document.file)}
