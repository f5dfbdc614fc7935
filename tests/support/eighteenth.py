"""Inventions of an 18th Edition: the pages of the 17th, renumbered, with what its makers might write next."""

import re
from functools import cache
from pathlib import Path

from render.games.kotc.workshop.guide.importing import ImportedRules, import_pages
from render.games.kotc.workshop.guide.page_files import parse_page
from tests.support.game_pages import pages_of
from tests.support.page_edits import Edit, behind, everywhere, formula, section, swap, within, without

TYPES = "There are 2 types of cards in Keeper of the Cards: minions, and spells."
SPELL = "<p>The level of a spell is equal to the level of its ability.</p>"
MINION = "To determine the level of a minion, add together the minion's SP and one half of its HP"
DECK = "40&ndash;60 cards"
POINTS = "must be no greater than 10."
DESTROY, DRAW = "&ldquo;destroy the targets.&rdquo;", "&ldquo;draw <var>x</var> cards.&rdquo;"
PRUNING = "any card whose design edition is prior to 13<sup>th</sup> Edition is pruned"
RELICS = (
    "<p>To determine the level of a relic, add together one third of its HP and the levels of all of its abilities.</p>"
    "<p>Relics have HP, and any number of abilities.</p>"
)
WITH_RELICS = swap(TYPES, "There are 3 types of cards: minions, spells, and relics.")


def more(*paragraphs: str) -> Edit:
    """Put paragraphs in front of the last one about levels."""
    return swap(SPELL, "".join(f"<p>{each}</p>" for each in paragraphs) + SPELL)


def printed_comments(page: str) -> str:
    """Print the sections that the page has in comments."""
    return re.sub(r"<!--(\s*<div.*?)-->", r"\1", page, flags=re.DOTALL)


def in_comment(title: str) -> Edit:
    """Hide the contents of a section in a comment, heading and all."""
    return section(title, lambda own: f"<!--{own}-->")


# By name: how the rulebook is changed, and how the guide is.
INVENTIONS: dict[str, tuple[tuple[Edit, ...], tuple[Edit, ...]]] = {
    "nothing": ((), ()),
    # kinds of cards
    "relics": ((WITH_RELICS,), (swap(SPELL, RELICS + SPELL),)),
    "relics in the guide alone": (
        (),
        (
            swap("There are 2 types of cards: minions, and spells.", "There are 3 types of cards: minions, spells, and relics."),
            swap("<li>Spells have only a single ability.</li>", "<li>Spells have only a single ability.</li><li>Relics have HP, and any number of abilities.</li>"),
            swap(SPELL, RELICS.partition("</p>")[0] + "</p>" + SPELL),
        ),
    ),
    "curses for minions": ((), (swap("<li>Spells have only a single ability.</li>", "<li>Spells have only a single ability.</li><li>Minions have 1 curse.</li>"),)),
    "relics and heroes": (
        (swap(TYPES, "There are 4 types of cards in Keeper of the Cards: minions, spells, relics and heroes."),),
        (more("To determine the level of a hero, add together its SP and HP.", "Heroes have SP and HP."),),
    ),
    "relics first": ((swap(TYPES, "There are three types of cards: relics, spells, and minions."),), ()),
    "relics that change minions": (
        (WITH_RELICS,),
        (more("To determine the level of a relic, add together the levels of all minions.", "A relic halves all levels."),),
    ),
    "relics that only the guide has": ((), (swap(SPELL, RELICS + SPELL),)),
    "relics in the deck": (
        (WITH_RELICS, swap("<li>The total amount", "<li>A deck may have 3 relics.</li><li>The total amount")),
        (),
    ),
    "relics among the elements of cards": (
        (WITH_RELICS, swap("<li>The flavor text", "<li>Relics have HP.</li><li>The flavor text")),
        (),
    ),
    "a chapter about relics": (
        (WITH_RELICS,),
        (swap('<h4 id="inst-ultra">', f'<h4>Relic Levels</h4>{RELICS}<h4 id="inst-ultra">'),),
    ),
    "another word for minions": ((swap(TYPES, "There are 2 types of cards: fighters, and spells."),), ()),
    "fewer kinds than it says": ((swap(TYPES, "There are 3 types of cards: minions, and spells."),), ()),
    "kinds in new words": ((swap(TYPES, "Cards come in 2 types: minions, and spells."),), ()),
    "no kind that is known": ((swap(TYPES, "There are 3 types of cards: fighters, spells, and relics."),), ()),
    "another word for SP": ((swap('<abbr title="strength points">SP</abbr> of the card.', "ATK of the card."),), ()),
    "ranks for levels": ((swap("<li>The level of the card.</li>", "<li>The rank of the card.</li>"),), ()),
    # levels
    "a third of the HP": ((), (swap("one half of its HP", "one third of its HP"),)),
    "a share in new words": ((), (swap("one half of its HP", "half its HP"),)),
    "no sentence about minions": ((), (section("Level", lambda own: re.sub(rf"<p>{MINION}.*?</p>", "", own)),)),
    "spells of twice their level": ((), (swap("equal to the level of its ability", "equal to twice the level of its ability"),)),
    "spells of at least 1": (
        (),
        (
            swap("calculated by the level decrease formula. Round the result up to the next integer if it isn't one already. If less than 0, set to 0.", "calculated by the level decrease formula. Round the result up to the next integer if it isn't one already. If less than 1, set to 1."),
            swap("spell abilities are allowed to be level 0,", "spell abilities are allowed to be level 1,"),
        ),
    ),
    "a least level in words": ((), (swap("its level is less than 1, set to 1.", "its level is less than two, set to two."),)),
    "abilities rounded to the nearest": ((), (swap("Round the result up", "Round the result to the nearest"),)),
    "a discount": ((), (more("Subtract 1 from the level of any card with 3 or more abilities."),)),
    "another name for the section of levels": ((), (swap(">Level</h4>", ">Card Level</h4>"),)),
    "the section of levels in a comment": ((), (in_comment("Level"),)),
    "the minion's paragraph in a section of its own": ((), (swap(f"<p>{MINION}", f"<h5>Minions</h5><p>{MINION}"),)),
    "curses in abilities": ((), (swap("<li>1 or more sub-abilities (required)</li>", "<li>1 or more sub-abilities (required)</li><li>1 curse (optional)</li>"),)),
    # decks, clean slates
    "decks of exactly 60": ((swap(DECK, "exactly 60 cards"),), ()),
    "decks without an upper limit": ((swap(DECK, "at least 40 cards"),), ()),
    "other Ultra Points everywhere": (
        (swap(POINTS, POINTS.replace("10", "12")), swap("no more than 10 Ultra", "no more than 12 Ultra")),
        (swap("more than 10 total Ultra", "more than 12 total Ultra"),),
    ),
    "Ultra Points in words": (
        (swap(POINTS, POINTS.replace("10", "ten")), swap("no more than 10 Ultra", "no more than ten Ultra")),
        (swap("more than 10 total Ultra", "more than ten total Ultra"),),
    ),
    "a clean slate": (
        (swap("<p>13<sup>th</sup> Edition is considered", "<p>18<sup>th</sup> Edition is considered"), swap(PRUNING, PRUNING.replace("13", "18"))),
        (),
    ),
    "a clean slate in new words": ((swap(PRUNING, PRUNING.replace("is pruned", "is burnt")),), ()),
    "no clean slate": ((section("Clean Slate Edition", lambda _: ""),), ()),
    # changed texts
    "the redacted texts in print": ((printed_comments,), ()),
    "a redacted text in print": (
        (printed_comments, swap("Remove x counters from this card;", "remove <var>x</var> counters from this card")),
        (),
    ),
    "a level revised": ((behind("silo the targets&rdquo;", "<li>&ldquo;bounce the targets&rdquo; (18<sup>th</sup> Edition)</li>"),), ()),
    "a level revised in no edition": ((behind("silo the targets&rdquo;", "<li>&ldquo;bounce the targets&rdquo;</li>"),), ()),
    # components
    "a target of relics": ((), (behind("&ldquo;Target up to <var>x</var> on-field minions;", "<li>(t = <var>x</var>) &ldquo;Target up to <var>x</var> relics;&rdquo;</li>"),)),
    "effects on relics": ((), (swap('<h5 id="effects-ultra">', '<h5>Relic Effects</h5><ul><li>(2t) &ldquo;shatter the targets.&rdquo;</li></ul><h5 id="effects-ultra">'),)),
    "a price that is the greater of two": ((), (formula(DESTROY, "<mi>max</mi><mo>(</mo><mi>t</mi><mo>,</mo><mn>2</mn><mo>)</mo>"),)),
    "a price with a power": ((), (formula(DESTROY, "<msup><mi>t</mi><mn>2</mn></msup>"),)),
    "a price in words": ((), (within(DRAW, "(?s)<math.*</math>", "(twice <var>x</var>)"),)),
    "a price less": ((), (within(DRAW, "(?s)<math.*</math>", ""),)),
    "no costs": ((), (section("Activation Costs", lambda _: ""), section("Ultra Activation Costs", lambda _: ""))),
    "costs in a comment": ((), (in_comment("Activation Costs"), in_comment("Ultra Activation Costs"))),
    "an effect less": ((), (without(DESTROY),)),
    "effects by another name": ((), (everywhere(">Effects</h4>", ">Outcomes</h4>"),)),
}  # fmt: skip


@cache
def pages_of_18th() -> tuple[str, str]:
    """Return the pages of the 17th Edition with the number of the next one in their titles."""
    rulebook, guide = (file.read_text(encoding="utf-8") for file in pages_of(17))
    return _renumbered(rulebook), _renumbered(guide)


def _renumbered(page: str) -> str:
    return re.sub(r"(<(?:title|h2)>[^<]*\()17", r"\g<1>18", page)


def invented_pages(name: str) -> tuple[str, str]:
    """Return the rulebook and the guide of an invention."""
    changed = []
    for page, edits in zip(pages_of_18th(), INVENTIONS[name], strict=True):
        for edit in edits:
            before, page = page, edit(page)
            assert page != before, name
        changed.append(page)
    return changed[0], changed[1]


def imported_invention(name: str) -> ImportedRules:
    """Return what an import makes of an invention; Refused if its pages contradict each other."""
    named = zip(invented_pages(name), ("rulebook", "guide"), strict=True)
    return import_pages([parse_page(page, Path(file)) for page, file in named])
