"""Laws of reading by items: it gives what reading the whole file gives, whatever is known of its items before."""

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from render.source.items import ReadItem, read_by_items
from render.source.reader import parse_partly, remembering

FILE = Path("cards.yaml")

SOUND = st.sampled_from(
    [
        *(
            "cat",
            "'it''s'",
            '"a\\u0041 b"',
            "é 😀 e\u0301",
            "",
            "[1, 2]",
            "{file: a.jpg, corner: top}",
            "x  # no",
            "& x",
        ),
        *("|\n    one\n\n    two", ">-\n    folded\n    text\n\n     more", "|2\n     indented", "|+\n    kept\n\n"),
        *("[1,\n    2]", '"two\n    lines"', "plain\n    on two lines", "\n  - a\n  - b", "\n    c: d"),
    ]
)
ODD = st.sampled_from(
    [
        *("'over\n- lines'", "[a,\n- b]", '"open', "[open", "a: b", "!!str x", "\\", "|", "*", "&b", "&a x", "*a"),
        *("\u2028", "\t", "\x07", '"\\x07"', "{<<: {a: 1}}"),
    ]
)
KEYS = st.sampled_from(["name", "text", "art", "level", '"quoted"', "a b"])
ODD_KEYS = KEYS | st.sampled_from(["<<", "?", "name"])
BETWEEN = st.sampled_from(["", "", "\n", "# comment\n", "  # indented comment\n", "   \n"])
ODD_LINES = BETWEEN | st.sampled_from(["---\n", "...\n", "%x\n", "\t\n", "- \n", "-x\n"])


@st.composite
def files(draw: st.DrawFn) -> str:
    """Return a card file: a list of mappings or of values, or a mapping; every other one is no YAML, perhaps."""
    is_odd = draw(st.booleans())
    values, keys, between = (SOUND | ODD, ODD_KEYS, ODD_LINES) if is_odd else (SOUND, KEYS, BETWEEN)
    indent = " " * draw(st.sampled_from([0, 0, 0, 2]))
    parts = [draw(between | st.just("---\n"))]
    is_mapping = draw(st.booleans()) and not indent
    for number in range(draw(st.integers(1, 5))):
        if is_mapping:
            parts.append(f"{draw(keys) if is_odd else f'key{number}'}: {draw(values)}\n")
        else:
            pairs = draw(
                st.lists(st.tuples(keys, values), max_size=3, unique_by=None if is_odd else lambda pair: pair[0])
            )
            lines = [f"{key}: {value}" for key, value in pairs] or [draw(values)]
            parts.append(f"{indent}- " + f"\n{indent}  ".join(lines) + "\n")
        parts.append(draw(between))
    text = "".join(parts)
    text = text if draw(st.booleans()) else text.rstrip("\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


class Items(dict[str, ReadItem]):
    """Remembers every item."""

    find = dict.get
    put = dict.__setitem__


@given(text=files(), before=files())
@example(text="- a: 1\n  # of the first\n- b: |+\n    kept\n\n- c\n", before="- c\n- a: 1\n  # of the first\n")
@example(text="- a: &x 1\n- b: *x\n", before="- b: *x\n")
@example(text="a: 1\na: 2\n", before="a: 2\n")
@example(text="- 'one\n- two'\n", before="- two'\n")
def test_a_file_read_by_its_items_is_the_file_read_whole(text: str, before: str) -> None:
    whole, items = parse_partly(text, FILE), Items()
    with remembering(items):
        for other in (before, f"# longer\n{text}", text):
            parse_partly(other, FILE)
            assert parse_partly(text, FILE) == whole


def test_only_an_item_that_changed_is_read_again() -> None:
    items = Items()
    with remembering(items):
        parse_partly("- name: Cat\n- name: Dog\n- name: Eel\n", FILE)
        known = set(items)
        parse_partly("# new\n- name: Cat\n- name: Ox\n- name: Eel\n", FILE)
    assert set(items) - known == {"# new\n- name: Cat\n", "- name: Ox\n"}


def test_a_file_with_an_anchor_or_a_mistake_is_not_cut() -> None:
    for text in ("- &a {b: 1}\n- *a\n", "- a: 'open\n- b: 1\n", "- a\n---\n- b\n", "a: 1\na: 2\n"):
        assert read_by_items(FILE, text, Items()) is None
