"""A table of keys reads a mapping, is its schema, and the rows of the reference."""

from pathlib import Path

from render.base.findings import as_text
from render.source import shapes
from render.source.fields import fields_of
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, LINE, Key, KeyTable, Value, truth, whole, word, words
from render.source.reader import read_as

LAMP = KeyTable(
    Key("name", FULL_LINE, "what it is called", "text in one line", needed=True, default=""),
    Key("width", whole(1, 9), "its size in mm", "1 to 9"),
    Key("height", whole(1, 9), "its size in mm", "1 to 9"),
    Key("hue", word(("red", "blue"), "red"), "its [color](#colors)", "`red`, `blue`", "`red`", default="red"),
    Key("lit", truth(default=False), "whether it burns", default=False, attribute="burns"),
    Key("tags", words("[old]"), "words about it", default=()),
    Key("shop", Value(lambda shops: shapes.word(shops)), "where it was bought"),
)


def read(text: str) -> tuple[dict[str, object], str]:
    document = read_as(text, Path("lamp.yaml"))
    fields = fields_of(FileKind("C", "lamp", {"name": "Moth"}), document, document.root)
    return LAMP.read(fields), as_text(fields.findings)


def test_what_is_given_has_its_type_and_what_is_not_its_default() -> None:
    assert read("name: Moth\nwidth: 3\nlit: true\ntags: [old, red, old]\n") == (
        {"name": "Moth", "width": 3, "height": None, "hue": "red", "burns": True, "tags": ("old", "red")},
        "",
    )


def test_a_key_that_is_missing_unknown_or_wrong_is_said_with_a_way_out() -> None:
    _, said = read("widht: 3\nhue: bleu\n")
    assert "the lamp has no `name` [C004]" in said
    assert "unknown key `widht` [C002]" in said
    assert said.count("did you mean") == 2


def test_the_schema_says_what_the_reference_says() -> None:
    shape = LAMP.shape_in(["market"])
    assert shape["required"] == ["name"]
    assert shape["properties"] == LAMP.properties_in(["market"])
    hue = LAMP.properties_in(["market"])["hue"]
    assert hue["description"] == "Its color. Default: `red`."
    assert LAMP.properties_in(["market"])["shop"] == {"enum": ["market"], "description": "Where it was bought."}


def test_neighbors_of_which_the_same_is_said_are_one_row() -> None:
    assert [row.cell for row in LAMP.rows] == ["`name`", "`width`, `height`", "`hue`", "`lit`", "`tags`", "`shop`"]
    assert LAMP.rows[0].default == "*required*"


def test_tables_are_put_together() -> None:
    both = KeyTable(Key("wick", LINE), also={"minProperties": 1}) + LAMP
    assert both.names == ("wick", *LAMP.names)
    assert both.shape_in([])["minProperties"] == 1
    assert both.texts == ("wick", "name")
