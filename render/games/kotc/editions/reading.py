"""Read the data file of an edition, `editions/NN.yaml`; `editions/README.md` describes the format."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Refused, Span
from render.games.kotc.editions.edition_keys import EDITION, KEYS, Entries
from render.games.kotc.editions.soundness import EntryPlace, find_mistakes
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import DeckRules, Edition, Grammar, Role, Terms
from render.source import reader as source
from render.source.fields import fields_of

SHIPPED = Path(__file__).parent / "data"


def read(file: Path, home: Path | None = None) -> Edition:
    """Return the rules in a data file; Refused with every mistake in it. `home` is as in `source.reader.read`."""
    document = source.read(file, home)
    fields, entries = fields_of(EDITION, document, document.root), Entries()
    values = KEYS.read(fields, entries)
    number, terms, deck, grammar = (values.pop(key) for key in ("number", "terms", "deck", "grammar"))
    if grammar is None:
        grammar = Grammar() if file.parent == SHIPPED or number is None else usual_grammar(number)
    # What is missing has a stand-in, so that mistakes between entries are found, too; it is not returned.
    edition = Edition(
        number=number or LAST_EDITION,
        terms=terms or Terms("", "", "", ""),
        deck=deck or DeckRules(0, 0),
        grammar=grammar,
        components=tuple(each for role in Role for each in values.pop(role.plural)),
        **values,
    )

    def place(entry: EntryPlace) -> Span:
        """Return the place of an entry, or of a value outside lists."""
        return entries.places[entry]() if entry in entries.places else fields.place(entry.section)

    for mistake in find_mistakes(edition):
        first = f", first at {place(mistake.other)}" if mistake.other else ""
        problem = replace(mistake.problem, message=f"{mistake.problem.message}{first}")
        fields.add(problem, place(mistake.entry))
    if fields.findings or not (number and terms and deck):
        raise Refused(fields.findings)
    return edition


@cached(256)
def usual_grammar(number: int) -> Grammar:
    """Return the grammar of an edition whose file says none, or that has no file: that of the program's own files.

    An edition before the first of them is written as that one is, one behind the last as the last.
    """
    file = next((file for file in sorted(SHIPPED.glob("??.yaml")) if int(file.stem) >= number), None)
    return read(file).grammar if file else Grammar()
