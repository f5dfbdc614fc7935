"""Language files that are wrong: exactly what their author reads."""

from pathlib import Path

import pytest

from render.base.findings import Refused, as_text
from render.games.kotc.editions.finding import SHIPPED, find
from render.games.kotc.languages.finding import find_words
from tests.support.messages import words
from tests.support.schema_verdicts import disagreements

GERMAN = (SHIPPED / "17.de.yaml").read_text(encoding="utf-8")
FILE = Path("editions/17.de.yaml")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def said_of(old: str, new: str, file: Path = FILE) -> str:
    """Return all that is said of the shipped German words with another text in place of one, without its lines."""
    assert GERMAN.count(old) == 1
    file.parent.mkdir()
    file.write_text(GERMAN.replace(old, new), encoding="utf-8")
    with pytest.raises(Refused) as refused:
        find_words(find(17), file.stem.partition(".")[2])
    assert list(disagreements("language", file.read_text(encoding="utf-8"), refused.value.findings)) == []
    lines = as_text(refused.value.findings).splitlines()
    kept = (line for line in lines if " | " not in line)
    return "\n".join(line.partition(": ")[2] if line.startswith("editions") else line.strip() for line in kept)


DRAW = 'words: "ziehe {x} [Karte|Karten]"'


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ('words: "ziehe {x} [Karte|Karten"', "`[` at character 11 belongs to nothing"),
        ('words: "ziehe {x} {karten}"', "`{karten}` is neither a number nor words for the targets"),
        ('words: "ziehe {x} [y: Karte|Karten]"', "`[y: Karte|Karten]` belongs to a number that the text does not have"),
        ('words: "ziehe [Karte|Karten]"', "`[Karte|Karten]` belongs to no number: the text has none"),
        ('words: "ziehe Karten"', "it has other numbers than `draw {x} cards`"),
        ('words: "ziehe {x} [Karte|Karten] {acc}"', "words such as `{acc}` stand where the text speaks of the targets"),
        ('words: "ziehe {x} [Karte|{acc}]"', "words for the targets cannot stand within brackets"),
        ('words: "Ziehe {x} [Karte|Karten]"', "it begins with a small letter, as `draw {x} cards` does"),
    ],
)  # fmt: skip
def test_words_that_are_not_in_the_notation(new: str, said: str) -> None:
    assert f": {said} [W034]" in said_of(DRAW, new)


MANY = ", ".join(f'g{number}: "a"' for number in range(30))
ACC = 'acc: {many: "die Ziele", one: "das Ziel"'


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        (
            "erschaffe {x} Bauern der Stufe {y}", "erschaffe {x} [Bauer|Bauern] der Stufe {y}",
            ["`[Bauer|Bauern]` does not say which number it belongs to: write `[x: …|…]` or `[y: …|…]` [W034]"],
        ),
        (
            'words: "vergrabe {acc}"', 'words: "zerstöre {acc}"',
            ["error: `destroy the targets` and `bury the targets` are both `zerstöre die Ziele` [W035]"],
        ),
        (ACC, ACC.replace("die Ziele", "das Ziel"), ["error: two forms of `clone the targets` are `klone das Ziel` [W035]"]),
        (
            'text: "draw {x} cards"', 'text: "draw {x} card"',
            ["the 17th Edition has no effect `draw {x} card` [W032]", "hint: did you mean `draw {x} cards`?"],
        ),
        (
            'text: "bury the targets"', 'text: "petrify the targets"',
            ["`petrify the targets` is given twice, first at editions/17.de.yaml:", "[W033]"],
        ),
        ("edition: 17\n", "edition: 18\n", ["error: the file is of the 17th Edition, and says `edition: 18` [W037]"]),
        ('joints: {colon: ": ", ', "joints: {", ["error: `joints` has no `colon` [W004]"]),
        (
            'words: "Wähle diese Karte als Ziel", it: f}', 'words: "Wähle diese Karte als Ziel", it: w}',
            ["error: expected `f`, `m` or `n`, found `w` [W007]"],
        ),
        (f"{ACC}, it: {{", f"{ACC}, it: {{{MANY}, ", ["words for 33 genders are given, and a language has at most 20 [W038]"]),
    ],
)  # fmt: skip
def test_what_a_translator_reads(old: str, new: str, facts: list[str]) -> None:
    said = said_of(old, new)
    assert [fact for fact in facts if fact not in said] == []


def test_a_file_with_the_name_of_another_language() -> None:
    assert said_of("name: Deutsch", "name: Deutsch ", Path("editions/17.nl.yaml")) == words("""
        error: `17.nl.yaml` holds words in the language `de` [W037]
        hint: rename it to `17.de.yaml`
    """)


def test_a_component_without_words_is_no_mistake_of_the_file() -> None:
    """A translator works step by step; only a card that needs the words says that they are missing."""
    FILE.parent.mkdir()
    kept = [line for line in GERMAN.splitlines() if "draw {x} cards" not in line]
    FILE.write_text("\n".join(kept), encoding="utf-8")
    assert find_words(find(17), "de")
