"""The data file of an edition that is not published yet, begun from the last one."""

from __future__ import annotations

from dataclasses import replace

from render.games.kotc.editions.writing import write_edition
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Edition

_TO_DO = """\
# Begun from the {old} Edition: nothing of the {new} is known yet. Go through both pages of the game and change below
#
#   grammar                if cards are written otherwise: its keys are in editions/README.md
#   clean_slate            if the rulebook names another edition
#   deck                   the number of cards and of Ultra Points
#   levels                 the share of the HP, and the least levels
#   kinds                  kinds of card beside minions and spells
#   reworded               the table of the new rulebook, as a whole
#   redacted, revised_...  its lists, as a whole
#   conditions to effects  texts and formulas that came, went or changed
#
# or let `kotc edition import` write this file. Then remove this comment; `kotc edition diff {old_number} {new_number}`
# shows what you changed.
"""


def begin_edition(last: Edition, number: int) -> str:
    """Return the text of a data file with the rules of `last` under another number, and what to fill in."""
    text = write_edition(replace(last, number=number))
    title, _, rest = text.partition("\n")
    to_do = _TO_DO.format(old=ordinal(last.number), new=ordinal(number), old_number=last.number, new_number=number)
    return f"{title}\n#\n{to_do}{rest}"
