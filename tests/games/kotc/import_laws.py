"""Laws of bringing card files up to date: what was not changed stays, character by character."""

import json
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.workshop.imports.imported import Value, edited, said_by
from render.source import reader

WORDS = st.sampled_from(["HOWL: Draw 1 card.", "'quoted' start", "- dash", "5", "no: yes", 'a "b" # c', "x"])
COMMENTS = st.sampled_from(["", "", "  # beside"])


@st.composite
def written(draw: st.DrawFn, key: str) -> str:
    """Return a key with its value as a person may write it; its lines have no indent yet."""
    words, comment = draw(WORDS), draw(COMMENTS)
    if key == "name":
        return f"name: Wolf{comment}\n"
    if key == "art":
        return draw(
            st.sampled_from(["art: a.png\n", "art: {file: a.png}  # beside\n", "art:\n  file: a.png\n  author: Me\n"])
        )
    if key in ("cost", "copies"):
        return f"{key}: 5{comment}\n"
    quoted = words.replace("'", "''")
    return draw(
        st.sampled_from(
            [
                f"{key}: |{comment}\n  {words}\n",
                f"{key}: >-\n  {words}\n",
                f"{key}: {json.dumps(words)}{comment}\n",
                f"{key}: '{quoted}'\n\n",
            ]
        )
    )


@st.composite
def card_files(draw: st.DrawFn) -> str:
    """Return a file of one card, or of a list of cards, with comments, blank lines and line ends of any kind."""
    in_list = draw(st.booleans())
    cards = []
    for _ in range(draw(st.integers(1, 3)) if in_list else 1):
        keys = ["name", *draw(st.permutations(["cost", "text", "flavor", "art", "copies"]))][: draw(st.integers(1, 6))]
        lines = "".join(
            draw(st.sampled_from(["", "", "# above\n", "\n"])) * (key != "name") + draw(written(key)) for key in keys
        )
        indented = "".join(f"  {line}" if line.strip() else line for line in lines.splitlines(keepends=True))
        cards.append(f"-{indented[1:]}" if in_list else lines)
    text = "".join(cards) + draw(st.sampled_from(["", "# the end\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


VALUES: Mapping[str, st.SearchStrategy[Value | None]] = {
    "name": WORDS,
    "cost": st.sampled_from(["7", None]),
    "text": st.one_of(WORDS, st.none(), st.just("A: b.\nC: d.")),
    "flavor": st.one_of(WORDS, st.none()),
    "art": st.sampled_from([{"file": "b.png"}, {"file": "b.png", "fit": "cover"}]),
    "credit": WORDS,
}


@given(card_files(), st.fixed_dictionaries({}, optional=dict(VALUES)), st.integers(0, 2))
def test_a_card_gets_new_values_and_everything_else_in_its_file_stays(
    text: str, changes: dict[str, Value | None], number: int
) -> None:
    document = reader.parse(text, Path("cards.yaml"))
    index = number % len(document.mappings)
    result = edited(document, index, changes)
    assert result is not None
    before, after = (list(map(said_by, each.mappings)) for each in (document, result))
    for key, value in changes.items():
        before[index].pop(key, None)
        before[index] |= {} if value is None else {key: value}
    assert after == before
    removed = sum(value is None for value in changes.values())
    assert result.text.count("# beside") >= text.count("# beside") - removed
    assert result.text.count("# above") == text.count("# above")
    assert result.text.endswith("# the end\n") == text.endswith("# the end\n") or "\r\n" in text
