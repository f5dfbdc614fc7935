"""What a finding has an editor write instead: written into the file, it leaves that finding no ground."""

from pathlib import Path

import pytest
from PIL import Image

from render.base.findings import Diagnostic
from render.game.sources import check_sets
from render.source.nodes import BOM, line_starts
from tests.support.picture_files import in_bytes
from tests.support.sets import SET, kotc, write_set

SOUND = "{ name: Dog, kind: spell, level: 2, text: Draw 1 card. }\n"
CARDS = [
    ("C002", "{ nam: Dog, kind: spell, level: 2, text: Draw 1 card. }", "name"),
    ("C003", "{ name: Dog, kind: spell, cost: 2, text: Draw 1 card. }", "level"),
    ("C005", '{ name: Dog, kind: spell, level: "2", text: Draw 1 card. }', "2"),
    ("C005", "{ name: Dog, kind: spell, level: AUTO, text: Draw 1 card. }", "auto"),
    ("C007", "{ name: Dog, kind: 'spel', level: 2, text: Draw 1 card. }", "spell"),
    ("C008", "{ name: Dog, kind: creature, sp: 1, hp: 2, level: 2 }", "minion"),
    ("C011", "{ id: My Dog, name: Dog, kind: spell, level: 2, text: Draw 1 card. }", "my-dog"),
    ("C018", "{ name: Dog, kind: spell, level: 2, text: Draw 1 card., art: 'art\\my, dog.jpg' }", '"art/my, dog.jpg"'),
    ("A001", "{ name: Dog, kind: spell, level: 2, text: Draw 1 card., art: art/my dog.jpg }", '"art/my, dog.jpg"'),
    ("T001", "{ name: Dog, kind: spell, level: 2, text: Draw 1 card., back: bakc }", "back"),
    ("V001", "{ name: Dog, kind: spell, level: 7, text: Draw 1 card. }", "2"),
    ("Y007", "name: Dog\nkind: spell\nlevel: 2\ntext: Draw 1 card.\nflavor: Wow: a dog", '"Wow: a dog"'),
    ("Y007", 'name: Dog\nkind: spell\nlevel: 2\ntext: Draw 1 card.\nart: "art\\my, dog.jpg"', '"art/my, dog.jpg"'),
    ("Y009", "name: Dog\nkind: spell\nlevel: 2\ntext: Draw 1 card.\nflavor: &woof Woof\ncredit: *wof", "*woof"),
    ("K006", "{ name: Dog, kind: spell, level: 2, text: 'Target 1 in-play card; destroy it.' }", "on-field minion"),
]


def check_one(folder: Path, code: str) -> list[Diagnostic]:
    return [finding for finding in check_sets(folder).findings if finding.code == code]


def offset_at(text: str, line: int, column: int) -> int:
    """Return the offset of a place in a file's text, as `Span` counts; that of the text's end for a place behind it."""
    starts = line_starts(text)
    if line > len(starts):
        return len(text)
    mark = line == 1 and text.startswith(BOM)
    return min(starts[line - 1] + column - 1 + mark, len(text))


def mend(file: Path, finding: Diagnostic) -> None:
    assert finding.span
    text = file.read_text("utf-8")
    start = offset_at(text, finding.span.line, finding.span.column)
    end = offset_at(text, finding.span.end_line, finding.span.end_column)
    file.write_text(text[:start] + finding.instead + text[end:], "utf-8")


@pytest.mark.parametrize(("code", "card", "instead"), CARDS, ids=[f"{code}-{instead}" for code, _, instead in CARDS])
def test_what_stands_instead_in_a_card_mends_it(tmp_path: Path, code: str, card: str, instead: str) -> None:
    folder = write_set(tmp_path, f"{card}\n")
    (folder / "art").mkdir()
    (folder / "art" / "my, dog.jpg").write_bytes(in_bytes(Image.new("RGB", (900, 900)), "JPEG"))
    [finding] = check_one(folder, code)
    assert finding.instead == instead
    mend(folder / "cards.yaml", finding)
    assert not check_one(folder, code)


@pytest.mark.parametrize(
    ("line", "instead"),
    [("nme: Dogs", "name"), ("sheet: {paper: leter}", "letter"), ("outputs: [pngs]", "png"), ("language: dee", "de")],
)
def test_what_stands_instead_in_the_file_of_a_set_mends_it(tmp_path: Path, line: str, instead: str) -> None:
    folder = write_set(
        tmp_path, SOUND, f"{line}\n" + SET.replace("name: Test\n", "" if "nme" in line else "name: Test\n")
    )
    [finding] = [each for each in check_sets(folder).findings if each.instead]
    assert finding.instead == instead
    mend(folder / "set.yaml", finding)
    assert not [each for each in check_sets(folder).findings if each.instead]


def test_a_key_that_the_card_already_has_is_not_written_again(tmp_path: Path) -> None:
    folder = write_set(tmp_path, "{ name: Dog, nam: Dog, kind: spell, level: 2, text: Draw 1 card. }\n")
    [finding] = check_one(folder, "C002")
    assert (finding.hint, finding.instead) == ("did you mean `name`?", "")


def test_nothing_is_to_be_written_where_a_card_has_no_such_line(tmp_path: Path) -> None:
    folder = write_set(tmp_path, "{ name: Dog, kind: spell, level: 2, ultra_points: 3, text: Draw 1 card. }\n")
    assert [finding.instead for finding in check_one(folder, "V002")] == ["0"]


def test_no_output_of_programs_tells_what_to_write_instead(tmp_path: Path) -> None:
    folder = write_set(tmp_path, "{ nam: Dog, kind: spell, level: 2, text: Draw 1 card. }\n")
    assert "instead" not in kotc("check", "--format", "json", folder).output
