"""Fingerprints of the sentences in the game's pages; `python -m tests.support.familiar_sentences` writes the file."""

import re
from pathlib import Path
from unittest.mock import patch

from render.games.kotc.workshop.guide import sentences
from render.games.kotc.workshop.guide.importing import import_pages
from render.games.kotc.workshop.guide.page_files import parse_page, read_page
from tests.support.game_pages import EDITIONS, pages_of

FILE = Path(sentences.__file__).parent / "familiar.txt"


class _Asked(set[str]):
    """Contains everything, and remembers what was asked for."""

    def __contains__(self, fingerprint: object) -> bool:
        self.add(str(fingerprint))
        return True


def fingerprints() -> str:
    """Return the file of all sentences that reading the pages asks for, those in comments included."""
    asked = _Asked()
    with patch.object(sentences, "_fingerprints", return_value=asked):
        for number in EDITIONS:
            pages = [read_page(file) for file in pages_of(number)]
            import_pages(pages)
            # What one edition has in a comment, a later one may print: the introduction of a list that was empty.
            import_pages(parse_page(re.sub(r"<!--|-->", "", page.text), page.file) for page in pages)
    return "".join(f"{each}\n" for each in sorted(asked))


if __name__ == "__main__":
    FILE.write_text(fingerprints(), encoding="ascii")
