"""The program as a library: what `import render` offers does what the commands do."""

import inspect
import io
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from PIL import Image

import render
from render.sheets.options import Backs
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

CARDS = """
- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1, copies: 2}
- {name: Spark, kind: spell, level: 2, text: Draw 1 card.}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the set `my-set`, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return write_set(tmp_path / "my-set", CARDS)


def example() -> str:
    """Return the example in the docstring of the package."""
    found = re.search(
        r"^    import render\n(?:.*\n)*?(?=^\S)", inspect.cleandoc(render.__doc__ or "") + "\n", re.MULTILINE
    )
    assert found
    return textwrap.dedent(found[0])


def test_the_example_runs_as_it_stands() -> None:
    names: dict[str, object] = {}
    exec(example(), names)
    assert Path("sheets.pdf").is_file()
    assert Path("out/my-set/png/wolf.png").is_file()
    picture = names["picture"]
    assert isinstance(picture, bytes)
    assert Image.open(io.BytesIO(picture)).size == (750, 1050)


def test_what_is_offered_is_there_and_documented() -> None:
    for name in render.__all__:
        offered = getattr(render, name)
        assert name == "__version__" or inspect.getdoc(offered), name
    assert not set(render.__all__) - {"__version__"} - {*render._HOMES}


def test_what_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lod_sets'"):
        render.lod_sets  # noqa: B018


def test_importing_the_library_imports_nothing_else() -> None:
    script = "import sys, render; print(*(name for name in sys.modules if name.startswith('render')))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["render"]


def test_checking_says_what_the_command_says(folder: Path) -> None:
    (folder / "more.yaml").write_text("- {name: Bear, kind: minion, level: 9, sp: 1, hp: 1}\n", encoding="utf-8")
    report = render.check_sets([folder])
    assert [finding.code for finding in report.findings] == ["V001"]
    assert report.findings == report.by_rules
    assert report.cards == 3
    assert "[V001]" in kotc("check", folder).stdout


def test_a_single_path_need_not_be_in_a_list(folder: Path) -> None:
    assert render.load_sets("my-set") == render.load_sets([folder.relative_to(Path.cwd())])
    assert render.check_sets("my-set").cards == 2
    assert [result.folder for result in render.build_sets("my-set", "made")] == [Path("made/my-set")]


def test_mistakes_in_files_are_refused_with_all_findings(folder: Path) -> None:
    (folder / "more.yaml").write_text("- {name: Bear, kind: minoin}\n- {kind: spell}\n", encoding="utf-8")
    with pytest.raises(render.Refused) as refused:
        render.load_sets([folder])
    assert len(refused.value.findings) > 1
    assert all(isinstance(finding, render.Finding) for finding in refused.value.findings)


def test_a_drawn_png_is_that_of_the_command(folder: Path) -> None:
    assert kotc("png", folder, "--out", "pngs", "--dpi", "150", "--bleed", "3mm").exit_code == 0
    (card_set,) = render.load_sets([folder])
    for face in render.lay_out_set(card_set).faces:
        data = render.draw_png(face.front, dpi=150, bleed=3)
        with Image.open(io.BytesIO(data)) as one, Image.open(f"pngs/{face.card.id}.png") as other:
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("dpi", "bleed"), [(0, 0), (1e9, 0), (float("nan"), 0), (300, -1), (300, 500)])
def test_what_no_picture_can_have_is_a_value_error(folder: Path, dpi: float, bleed: float) -> None:
    (card_set,) = render.load_sets(folder)
    face = render.lay_out_set(card_set).faces[0]
    with pytest.raises(ValueError, match=r"dpi is from 1 to 2400|bleed is from 0 to 50 mm"):
        render.draw_png(face.front, dpi, bleed)
    with pytest.raises(ValueError, match=r"dpi is from 1 to 2400|bleed is from 0 to 50 mm"):
        render.write_pngs([card_set], "pngs", dpi=dpi, bleed=bleed)


def test_no_set_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="there are no sets to print"):
        render.write_sheets([], "a.pdf")


def test_written_sheets_are_those_of_the_command(folder: Path) -> None:
    assert kotc("pdf", folder, "--out", "command.pdf").exit_code == 0
    sets = render.load_sets([folder])
    assert render.write_sheets(sets, "library.pdf") == [Path("library.pdf")]
    assert Path("library.pdf").read_bytes() == Path("command.pdf").read_bytes()


def test_sheets_obey_the_options_that_are_given(folder: Path) -> None:
    sets = render.load_sets([folder])
    made = render.write_sheets(sets, "a.pdf", render.SheetOptions(backs=Backs.SEPARATE))
    assert [file.name for file in made] == ["a-fronts.pdf", "a-backs.pdf"]


def test_cards_without_a_copy_cannot_be_printed(folder: Path) -> None:
    (folder / "cards.yaml").write_text(
        "- {name: A, kind: minion, level: 2, sp: 1, hp: 1, copies: 0}\n", encoding="utf-8"
    )
    with pytest.raises(ValueError, match="no card has a copy to print"):
        render.write_sheets(render.load_sets([folder]), "a.pdf")
    assert not Path("a.pdf").exists()


def test_files_are_verified_against_sets(folder: Path) -> None:
    sets = render.load_sets([folder])
    render.write_sheets(sets, "sheets.pdf")
    assert render.verify_files(["sheets.pdf"], sets).findings == ()
    (folder / "more.yaml").write_text("- {name: Bear, kind: minion, level: 2, sp: 1, hp: 1}\n", encoding="utf-8")
    assert render.verify_files(["sheets.pdf"], render.load_sets([folder])).findings != ()


def test_a_second_build_has_nothing_to_do(folder: Path) -> None:
    (first,) = render.build_sets([folder], "made")
    (second,) = render.build_sets([folder], "made")
    assert (first.idle, second.idle) == (False, True)
    assert first.folder == Path("made/my-set")
    assert first.summary == "Test: 2 PNGs and 1 sheet in made/my-set (3 written, 0 unchanged)"


def test_sets_of_one_name_are_not_built_side_by_side(folder: Path, tmp_path: Path) -> None:
    other = write_set(tmp_path / "other/my-set", CARDS)
    with pytest.raises(ValueError, match="would both be written to `my-set`"):
        render.build_sets([folder, other])
    assert not Path("out").exists()
