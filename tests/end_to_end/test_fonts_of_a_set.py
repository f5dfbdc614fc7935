"""A game with fonts of its own, from its files to proved and judged prints."""

import shutil
from pathlib import Path

import pikepdf
import pytest

from render.game.sources import check_sets
from tests.support.font_making import Made, write_font
from tests.support.sets import kotc

GAME = """\
name: Harbor
fields: {text: {type: text}}
kinds: {boat: {fields: [text]}}
fonts:
  body: {file: fonts/Body.ttf, fallback: [Far East]}
  title: {file: "fonts/Title.ttf", axes: {wght: 650}}
  strong: {file: "fonts/Title.ttf", instance: Heavy}
"""
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<text x="5" y="10" font-family="title" font-size="5">{{ card.name }}</text>
<text x="5" y="20" font-family="Compact" font-size="5">{{ card.name }} <tspan font-family="strong">fi</tspan></text>
<text x="5" y="30" width="53" height="40" font-family="body" font-size="4" text-anchor="justify">{{ card.text }}</text>
</svg>
"""
BACK = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"><rect width="63.5" height="88.9"/></svg>\n'
CARDS = "- {name: Official Ferry, kind: boat, text: office affairs 「猫」は、静かに眠っている。}\n"
CJK = Path(__file__).parents[1] / "text" / "fonts" / "NotoSansCJKjp-Subset.otf"


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbor")
    files = {
        "set.yaml": "name: Harbor\noutputs: {png: {dpi: 72}, sheets: true}\n",
        "game.yaml": GAME.replace("Far East", "Noto Sans CJK JP"),
        "cards.yaml": CARDS,
        "templates/boat.svg": FRONT,
        "templates/back.svg": BACK,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    write_font(folder / "fonts" / "Body.ttf", Made("Body"))
    write_font(folder / "fonts" / "Title.ttf", Made("Title", axis=(100, 400, 900)))
    write_font(folder / "fonts" / "Compact.otf", Made("Compact", compact=True, em=2000))
    shutil.copy(CJK, folder / "fonts")
    return folder


@pytest.fixture(scope="module")
def sheets(harbor: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("out") / "sheets.pdf"
    assert kotc("pdf", harbor, "--out", file).exit_code == 0
    return file


def test_its_sheets_are_proved_with_the_set_and_without_it_the_fonts_are_not(harbor: Path, sheets: Path) -> None:
    proved = kotc("verify", sheets, "--set", harbor)
    assert (proved.exit_code, proved.stdout) == (0, "")
    assert "fonts, edges, print hints: all right" in proved.stderr
    alone = kotc("verify", sheets)
    assert "fonts: they are not all those of kotc: give the set that has them" in alone.output
    assert "fonts" not in alone.stderr.splitlines()[-1]


def test_a_font_with_other_outlines_under_the_same_name_is_found(harbor: Path, sheets: Path, tmp_path: Path) -> None:
    for kind in ("/FontFile2", "/FontFile3"):
        with pikepdf.open(sheets) as pdf:
            held = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and kind in each]
            one, other = [each for each in held if "DejaVu" not in str(each.FontName)][:2]
            one[kind] = other[kind]
            pdf.save(tmp_path / "other.pdf", deterministic_id=True)
        found = kotc("verify", tmp_path / "other.pdf", "--set", harbor)
        assert found.exit_code == 1
        assert "[Q030]" in found.stdout


def test_a_font_that_changed_since_is_another_one(harbor: Path, sheets: Path, tmp_path: Path) -> None:
    other = shutil.copytree(harbor, tmp_path / "other")
    write_font(other / "fonts" / "Body.ttf", Made("Body", em=1024))
    found = kotc("verify", sheets, "--set", other)
    assert found.exit_code == 1
    assert "there is no such face among those of kotc and of the set [Q030]" in found.stdout


@pytest.mark.parametrize(("shop", "standard"), [("drivethrucards", "x-1a"), ("pdf-x4", "x-4"), ("pdf-a2b", "a-2b")])
def test_print_standards_take_its_fonts(harbor: Path, tmp_path: Path, shop: str, standard: str) -> None:
    assert kotc("shop", shop, harbor, "--out", tmp_path).exit_code == 0
    judged = kotc("preflight", tmp_path / "cards.pdf", "--as", standard, "--strict")
    assert (judged.exit_code, judged.stderr) == (0, f"{tmp_path / 'cards.pdf'} as {standard}: nothing to report\n")


def test_a_build_notices_a_changed_and_a_new_font(harbor: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(harbor, tmp_path / "harbor")
    built = [kotc("build", folder, "--out", tmp_path / "out").stderr for _ in range(2)]
    write_font(folder / "fonts" / "Body.ttf", Made("Body", em=1024))
    built.append(kotc("build", folder, "--out", tmp_path / "out").stderr)
    write_font(folder / "fonts" / "Another.ttf", Made("Compact", "Bold", 700))
    built.append(kotc("build", folder, "--out", tmp_path / "out").stderr)
    written = [words.partition("(")[2].partition(")")[0] for words in built]
    drawn, kept = "2 written, 0 unchanged", "0 written, 2 unchanged"
    assert written == [drawn, kept, drawn, drawn]


def test_cards_in_its_fonts_are_drawn_by_several_processes_as_by_one(harbor: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(harbor, tmp_path / "harbor")
    names = [f"Boat {number}" for number in range(24)]
    cards = "".join(f"- {{name: {name}, kind: boat, text: office 猫}}\n" for name in names)
    (folder / "cards.yaml").write_text(cards, encoding="utf-8")
    for count in (1, 2):
        result = kotc("png", folder, "--out", tmp_path / str(count), "--dpi", 72, "--workers", count)
        assert result.exit_code == 0, result.output
    one, two = (sorted(file.read_bytes() for file in (tmp_path / count).iterdir()) for count in ("1", "2"))
    assert one == two
    assert len(one) == 24


def test_mistakes_in_roles_are_told_where_they_are_written(harbor: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(harbor, tmp_path / "harbor")
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("wght: 650", "wght: 950").replace("Body.ttf", "Boddy.ttf"), "utf-8")
    told = [line for line in kotc("check", folder).stdout.splitlines() if "game.yaml:" in line]
    assert any("`wght` of the font `fonts/Title.ttf` is from 100 to 900, not 950" in line for line in told)
    assert any("Boddy.ttf" in line for line in told)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("**x** and *y*", None, ""),
        (
            "a ***both*** b",
            "L007",
            "the font `body` has no bold italic face: add its file, or use another font; `both` asks",
        ),
    ],
)
@pytest.mark.parametrize(("element", "file"), [('id="text" ', "cards.yaml"), ("", "boat.svg")])
def test_words_that_are_bold_and_italic_need_a_face_that_is_both(
    words: str, code: str | None, message: str, element: str, file: str, tmp_path: Path
) -> None:
    files = {
        "set.yaml": "name: Harbor\n",
        "game.yaml": "name: Harbor\nfields: {text: rich}\nkinds: {boat: {fields: [text], back: none}}\n"
        "fonts: {body: {files: [fonts/Body.ttf, fonts/Bold.ttf, fonts/Italic.ttf]}}\n",
        "cards.yaml": f"- name: Ferry\n  kind: boat\n  text: '{words}'\n",
        "templates/boat.svg": FRONT[: FRONT.index("<text")]
        + f'<text {element}x="5" y="30" width="53" height="40" font-family="body">{{{{ card.text }}}}</text>\n</svg>\n',
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    write_font(tmp_path / "fonts" / "Body.ttf", Made("Body"))
    write_font(tmp_path / "fonts" / "Bold.ttf", Made("Body", style="Bold", weight=700))
    write_font(tmp_path / "fonts" / "Italic.ttf", Made("Body", style="Italic", italic=True))
    findings = check_sets([tmp_path]).findings
    assert [each.code for each in findings] == ([code] if code else [])
    assert all(message in each.message and each.span and each.span.file.name == file for each in findings)
