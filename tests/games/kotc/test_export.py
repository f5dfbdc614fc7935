"""`kotc export`: every card in every format, read back as the same card; what is never written over."""

import json
import os
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render.game.authoring.exported_cards import ENDINGS, file_of_cards
from render.games.kotc.sets import load_sets
from render.source.building import UNPRINTABLE
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence
from render.source.reader import read_as, read_as_partly
from render.source.tables.reading import read_table
from tests.support.messages import write
from tests.support.repository import ROOT
from tests.support.sets import SET, kotc

CARDS = "name,kind,level,text\nCat,spell,2,Draw 1 card.\nDog,spell,2,Draw 1 card.\n"

# What spreadsheets, CSV files and YAML take for something else.
_ODD = "=1+1 ' '=x +1 - -1 @x '' \" \"\" [] {} TRUE true FALSE 1.0 007 #REF! 1e5".split()
_MORE = (
    " x", "\tx", "a  b ", "a\n\nb", "\nx", ";", "a,b", "|", "#x", "a: b", "- a", "_x0041_", "<&>", "＝x", "null", "🐈", "ß",
)  # fmt: skip
_CHARS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\ufeff\ufffe\uffff")
_texts = st.sampled_from((*_ODD, *_MORE)) | st.text(_CHARS | st.sampled_from("\n\t'\"=+-@,;_ "), max_size=12)
_keys = st.sampled_from(("art", "file", "text", "1", "a.b", 'a "b"', " c", "=d", "Ä")) | st.text(
    _CHARS, min_size=1, max_size=5
)
_trees = st.recursive(
    _texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3), max_leaves=6
)
_cards = st.lists(
    st.dictionaries(_keys, _trees, max_size=4).map(lambda card: {"name": "Cat", **card}), min_size=1, max_size=3
)


def tree(node: Node) -> object:
    match node:
        case Scalar(value=value):
            return value.rstrip()
        case Mapping(entries=entries):
            return {key.value: tree(value) for key, value in entries}
        case Sequence(items=items):
            return [tree(item) for item in items]


def read_back(data: bytes, ending: str, folder: Path) -> Document:
    if ending in (".json", ".yaml"):
        document, findings = read_as_partly(data.decode(), Path("a.yaml"))
    else:
        file = folder / f"a{ending}"
        file.write_bytes(data)
        reading = read_table(file)
        document, findings = reading.document, [*reading.findings]
    assert findings == []
    assert document is not None
    return document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("export")


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=int(os.environ.get("KOTC_EXAMPLES", "25")))
@given(cards=_cards)
def test_any_cards_are_read_back_as_they_were(cards: list[dict[str, object]], ending: str, folder: Path) -> None:
    written = json.dumps(cards, ensure_ascii=False)
    if UNPRINTABLE.search(written):
        return
    root = read_as(written, Path("b.yaml")).root
    assert isinstance(root, Sequence)
    nodes = [item for item in root.items if isinstance(item, Mapping)]
    data = file_of_cards(nodes, ending)
    assert data == file_of_cards(nodes, ending), "the same bytes each time"
    back = read_back(data, ending, folder).root
    assert tree(back) == tree(root)


WORDS = """
- {name: A, kind: minion, edition: none, level: 3, sp: 1, hp: 2, text_size: auto}
- {name: B, kind: minion, edition: 17, level: auto, sp: 1, hp: 2}
"""


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("cards", ["starter", WORDS], ids=["starter", "words in place of numbers"])
def test_a_set_is_the_same_in_every_format(cards: str, ending: str, tmp_path: Path) -> None:
    folder, file = tmp_path / "s", tmp_path / f"cards{ending}"
    if cards == "starter":
        copytree(ROOT / "cards" / "starter", folder)
    else:
        write(folder, {"set.yaml": "name: S\n", "cards.yaml": cards})
    (before,) = load_sets([folder])
    assert kotc("export", folder, "--to", file).stderr == f"{before.name}: {len(before.cards)} cards in {file}\n"
    for old in {card.document.file for card in before.cards}:
        old.unlink()
    file.rename(folder / f"cards{'.yaml' if ending == '.json' else ending}")
    (after,) = load_sets([folder])
    assert [repr(card) for card in after.cards] == [repr(card) for card in before.cards]


def test_a_file_is_not_written_over_without_force(tmp_path: Path) -> None:
    folder = write(tmp_path / "s", {"set.yaml": SET, "a.csv": CARDS})
    there = tmp_path / "x.json"
    there.write_text("mine")
    result = kotc("export", folder, "--to", there)
    assert (result.exit_code, there.read_text()) == (2, "mine")
    assert "is there already: name another file, or write over it with --force" in " ".join(result.stderr.split())
    assert kotc("export", folder, "--to", there, "--force").exit_code == 0
    assert [card["name"] for card in json.loads(there.read_text())] == ["Cat", "Dog"]


def test_a_set_does_not_get_its_cards_twice(tmp_path: Path) -> None:
    folder = write(tmp_path / "s", {"set.yaml": SET, "a.csv": CARDS})
    result = kotc("export", folder, "--to", folder / "b.yaml")
    message = f"error: with `{folder / 'b.yaml'}` the set would have each card twice: they are in `a.csv` [N013]"
    assert message in result.stdout + result.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["a.csv", "set.yaml"]
    assert kotc("export", folder, "--to", folder / "a.csv", "--force").exit_code == 0
    assert kotc("export", folder, "--to", folder / "b.json").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("new", "spell", "Fox", "--to", "SET"),
        ("new", "spell", "Fox", "--to", "SET/a.csv"),
        ("migrate", "SET", "--to", "17"),
    ],
)
def test_a_spreadsheet_is_not_rewritten(arguments: tuple[str, ...], tmp_path: Path) -> None:
    rows = "name,kind,level,text,edition\nCat,spell,2,Draw 1 card.,16\n"
    folder = write(tmp_path / "s", {"set.yaml": SET, "a.csv": rows})
    result = kotc(*(each.replace("SET", str(folder)) for each in arguments))
    said = result.stdout + result.stderr
    assert f"`{folder / 'a.csv'}` is a spreadsheet, and only YAML files are rewritten [N012]" in said
    assert result.exit_code == 1
    assert {file.name: file.read_text() for file in folder.iterdir()} == {"set.yaml": SET, "a.csv": rows}


def test_a_new_card_beside_a_spreadsheet_gets_an_id_of_its_own(tmp_path: Path) -> None:
    folder = write(tmp_path / "s", {"set.yaml": SET, "a.csv": CARDS})
    assert kotc("new", "minion", "Cat", "--to", folder / "b.yaml").exit_code == 0
    assert "id: cat-2" in (folder / "b.yaml").read_text()
