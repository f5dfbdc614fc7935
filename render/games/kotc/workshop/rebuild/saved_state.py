"""Sets before they go to another edition: what is kept of them, and what a build is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from render.build.compare import Baseline, as_manifest, digest_set, recall_set
from render.game.faces import lay_out_valid
from render.game.folder import is_table
from render.games.kotc.drawing import card_pictures
from render.games.kotc.model.cards import CardSet, ordinal
from render.games.kotc.workshop.migration.report import cards_to_show
from render.games.kotc.workshop.rebuild.transition import SetTransition
from render.games.kotc.workshop.rebuild.unfinished import Before


@dataclass(frozen=True, slots=True)
class SavedState:
    """A set as it was: what is kept of it until all is done, and the baseline of the build."""

    kept: Before
    baseline: Baseline


def start(transition: SetTransition, made: Callable[[int], object] = lambda _: None) -> SavedState:
    """Return a set as it was; what an earlier run kept comes first. `made` is called for each picture."""
    drawn = lay_out_valid(transition.before)
    looks = digest_set(transition.before, drawn)
    since = f"before the {ordinal(transition.migration.edition)} Edition"
    if transition.kept:
        # As drawn again, which can be painted, unless that gives another picture.
        earlier = recall_set(transition.kept.looks)
        looks = earlier if earlier and earlier != looks else looks
        return SavedState(transition.kept, Baseline(since, looks.mark, looks))
    shown = card_pictures.pictures(drawn, cards_to_show(transition.migration)[0], made)
    new_texts = {change.file.name: change.after for change in transition.files}
    kept = Before(_texts(transition.before), new_texts, shown, as_manifest(looks, transition.before.name))
    return SavedState(kept, Baseline(since, looks.mark, looks))


def _texts(card_set: CardSet) -> dict[str, str]:
    """Return the texts of all files of a set, by name."""
    documents = [card_set.source[0]] if card_set.source else []
    documents += {id(card.document): card.document for card in card_set.cards}.values()
    return {document.file.name: document.text for document in documents if not is_table(document.file)}
