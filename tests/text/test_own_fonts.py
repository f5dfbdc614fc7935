"""Fonts of a set's own: which face is taken, what is drawn of it, and what other processes know of it."""

import pickle
import shutil
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from render.base.findings import Diagnostic, Refused, Severity
from render.base.resources import TEMPLATES
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.pdf import document
from render.scene.items import Placement, Scene, scene_digest
from render.text import fonts
from render.text.font_book import FontBook
from render.text.font_files.font_face import FaceChain, OwnFace, with_fonts
from render.text.font_files.own_opening import FontChangedError
from render.text.font_roles import FontRole
from tests.support import rasters
from tests.support.font_making import Made, write_font
from tests.support.templates import as_png, runs, svg

HERE = Path(__file__).parent
CJK = HERE / "fonts" / "NotoSansCJKjp-Subset.otf"
WORDS = "Efficient affine words of fields " * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fonts").mkdir()
    return tmp_path


def set_text(folder: Path, content: str, roles: Sequence[FontRole] = (), language: str = "") -> Scene:
    (folder / "tried.svg").write_text(svg(content), encoding="utf-8")
    templates = Templates([folder], [TEMPLATES], fonts=FontBook([folder], roles, language))

    def no_picture(_: str) -> object:
        raise AssertionError

    return lay_out(templates.get("tried"), {}, no_picture)  # type: ignore[arg-type]


def faces(folder: Path, content: str, roles: Sequence[FontRole] = ()) -> list[str]:
    return [run.face.partition(" #")[0] for run in runs(set_text(folder, content, roles))]


def written(scene: Scene) -> bytes:
    page = document.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    return document.write([page], document.PdfOptions("Card"))


def text(style: str, words: str = "Abc") -> str:
    return f'<text x="5" y="10" font-size="4" {style}>{words}</text>'


# --- which face is taken ----------------------------------------------------------------------------------------------


def test_a_family_is_found_by_the_name_that_its_fonts_bear(folder: Path) -> None:
    write_font(folder / "fonts" / "x.ttf", Made("Sea Serif"))
    assert faces(folder, text('font-family="sea serif"')) == ["Sea Serif Regular"]


def test_a_role_goes_before_a_family_and_the_set_before_its_game(folder: Path, tmp_path: Path) -> None:
    game = tmp_path / "game"
    write_font(folder / "fonts" / "a.ttf", Made("Set Sans"))
    write_font(game / "fonts" / "a.ttf", Made("Game Sans"))
    write_font(game / "fonts" / "b.ttf", Made("Game Serif"))
    roles = [FontRole(name="Set Sans", files=("fonts/b.ttf",)), FontRole(name="x", files=("fonts/a.ttf",))]
    book = FontBook([folder, game], roles)
    assert [each.family for each in book.files("Set Sans")] == ["Game Serif"]
    assert [each.family for each in book.files("x")] == ["Set Sans"]


def test_the_style_chooses_among_the_files_of_a_family(folder: Path) -> None:
    for style, weight, italic in (
        ("Light", 300, False),
        ("Medium", 500, False),
        ("Black", 900, False),
        ("Italic", 400, True),
    ):
        write_font(folder / "fonts" / f"{style}.ttf", Made("Many", style, weight, italic))
    for asked, taken in (
        ("", "Many Medium"),
        ('font-weight="350"', "Many Light"),
        ('font-weight="bold"', "Many Black"),
        ('font-weight="600"', "Many Black"),
        ('font-style="italic"', "Many Italic"),
    ):
        assert faces(folder, text(f'font-family="Many" {asked}')) == [taken]


def test_a_variable_font_is_set_to_the_weight_that_is_asked_for_within_its_limits(folder: Path) -> None:
    write_font(folder / "fonts" / "v.ttf", Made("Vary", axis=(100, 400, 900)))
    for asked, set_to in (("", 400), ('font-weight="bold"', 700), ('font-weight="1000"', 900)):
        assert faces(folder, text(f'font-family="Vary" {asked}')) == [f"Vary wght={set_to}"]
    (light,), (heavy,) = (
        runs(set_text(folder, text(f'font-family="Vary" font-weight="{weight}"'))) for weight in (400, 900)
    )
    assert [b - a for a, b in zip(light.advances, heavy.advances, strict=True)] == [50, 50, 50]


def test_a_role_sets_axes_and_instances(folder: Path) -> None:
    write_font(folder / "v.ttf", Made("Vary", axis=(100, 400, 900)))
    fixed = FontRole(name="title", files=("v.ttf",), axes=(("wght", 650.0),))
    named = FontRole(name="title", files=("v.ttf",), instance="Heavy")
    assert faces(folder, text('font-family="title"'), [fixed]) == ["Vary wght=650"]
    assert faces(folder, text('font-family="title"'), [named]) == ["Vary wght=900"]


def test_what_a_font_lacks_comes_from_the_list_then_from_fall_backs_then_from_bundled_faces(folder: Path) -> None:
    write_font(folder / "a.ttf", Made("First", characters="ab "))
    write_font(folder / "b.ttf", Made("Second", characters="abc "))
    write_font(folder / "c.ttf", Made("Third", characters="abcd "))
    roles = [
        FontRole(name="a", files=("a.ttf",), fallback=("b",)),
        FontRole(name="b", files=("b.ttf",)),
        FontRole(name="c", files=("c.ttf",)),
    ]
    found = faces(folder, text('font-family="a, c" font-style="normal"', "abcde"), roles)
    assert found == ["First Regular", "Second Regular", "Third Regular", "DejaVu Sans"]


def test_a_role_has_other_files_for_a_language_and_falls_back_on_its_usual_ones(folder: Path) -> None:
    write_font(folder / "fonts" / "Body.ttf", Made("Body"))
    shutil.copy(CJK, folder / "fonts" / "Gothic.otf")
    role = FontRole(name="words", files=("fonts/Body.ttf",), of_languages=(("ja", ("fonts/Gothic.otf",)),))
    text = '<text y="9" font-family="words" font-style="italic">水</text>'
    (run,) = runs(set_text(folder, text, [role], "ja"))
    assert run.face.startswith("Noto Sans CJK")  # upright, since it has no italic letters
    upright = '<text y="9" font-family="words">a</text>'
    assert faces(folder, upright, [role]) == ["Body Regular"]


def test_the_language_tells_a_font_which_letters_it_draws(folder: Path) -> None:
    shutil.copy(CJK, folder / "fonts" / "Gothic.otf")
    text = '<text y="9" font-family="Noto Sans CJK JP">捨水</text>'
    japanese, chinese, korean = (runs(set_text(folder, text, (), each))[0].glyphs for each in ("ja", "zh", "ko"))
    assert japanese != chinese != korean
    assert japanese[0] != korean[0]
    assert japanese[1] == korean[1] != chinese[1]
    assert japanese == runs(set_text(folder, text))[0].glyphs
    for chain in (FaceChain(["a", "b"]), FaceChain(["a", "b"], "zh-hant")):
        again = pickle.loads(pickle.dumps(chain))
        assert (again, again.faces, again.language) == (chain, chain.faces, chain.language)


def test_runs_of_fonts_with_other_units_follow_each_other(folder: Path) -> None:
    write_font(folder / "a.ttf", Made("First", characters="ab ", em=2000))
    write_font(folder / "b.ttf", Made("Second", characters="cd"))
    roles = [FontRole(name="a", files=("a.ttf",), fallback=("b",)), FontRole(name="b", files=("b.ttf",))]
    at = 5.0
    for run in runs(set_text(folder, text('font-family="a"', "acbda★b"), roles)):
        assert run.transform.e == pytest.approx(at)
        at += sum(run.advances) / fonts.face(run.face).units_per_em * 4


def test_lines_are_as_high_as_their_font_and_shrink_about_the_middle_of_its_capitals(folder: Path) -> None:
    write_font(folder / "fonts" / "a.ttf", Made("Tall"))  # ascent 0.95, descent 0.25, capitals 0.7 em
    first, second = runs(
        set_text(folder, '<text x="5" y="5" width="9" height="40" font-family="Tall" font-size="4">Abc Abc</text>')
    )
    assert first.transform.f == pytest.approx(5 + 0.95 * 4)
    assert second.transform.f - first.transform.f == pytest.approx(1.2 * 4)
    (line,) = runs(
        set_text(folder, '<text x="5" y="10" width="3" font-family="Tall" font-size="4" min-size="1">Abc</text>')
    )
    assert line.size < 4
    assert line.transform.f == pytest.approx(10 - (4 - line.size) * 0.7 / 2)


def test_sets_without_such_fonts_are_drawn_from_the_same_values_as_before(folder: Path) -> None:
    (run,) = runs(set_text(folder, text('font-family="DejaVu Sans" font-weight="bold"')))
    assert type(run.face) is str
    assert repr(run).startswith("TextRun(face='DejaVu Sans Bold', size=4.0, ")


# --- the same picture in PNG and PDF, and the words -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("font", "style", "words"),
    [
        (Made("Own"), "", WORDS),
        (Made("Own", compact=True, em=2000), "", WORDS),
        (Made("Own", axis=(100, 400, 900)), 'font-weight="650"', WORDS),
        (Made("Own", compact=True, axis=(100, 400, 900)), 'font-weight="650"', WORDS),
        (None, "", "「猫」は、静かに眠っている。カード2枚を引く。"),
    ],
    ids=["TrueType", "outlines of PostScript", "variable", "variable, of PostScript", "Japanese"],
)
def test_png_and_pdf_show_the_same_and_the_words_are_found(
    folder: Path, font: Made | None, style: str, words: str
) -> None:
    if font:
        write_font(folder / "own.ttf", font)
    else:
        (folder / "own.ttf").write_bytes(CJK.read_bytes())
    content = f'<text x="4" y="4" width="55" height="16" font-family="own" {style} font-size="4">{words}</text>'
    scene = set_text(folder, content, [FontRole(name="own", files=("own.ttf",))])
    file = written(scene)
    # Drawn eight times as large: the letters are boxes, whose edges PDFium puts on whole pixels.
    apart = np.abs(as_png(scene, 150) - rasters.reduced(file, 150 * (1 - 1e-5), 8))
    assert float(apart[4 * 6 : 20 * 6, 4 * 6 : 59 * 6].mean()) <= 1.0
    page = pypdfium2.PdfDocument(file)[0].get_textpage()
    assert "".join(page.get_text_bounded().split()) == "".join(words.split())


def test_only_the_glyphs_that_are_shown_are_embedded(folder: Path) -> None:
    (folder / "own.otf").write_bytes(CJK.read_bytes())
    scene = set_text(folder, text('font-family="own"', "猫は猫"), [FontRole(name="own", files=("own.otf",))])
    with pikepdf.open(BytesIO(written(scene))) as pdf:
        (program,) = (
            bytes(each.read_bytes())
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/CIDFontType0C"
        )
    compact = CFFFontSet()
    compact.decompile(BytesIO(program), None, isCFF2=False)
    glyphs = compact[0].CharStrings
    drawn = []
    for name in sorted(glyphs.charStrings):
        glyphs[name].decompile()
        drawn += [name] if len(glyphs[name].program) > 3 else []
    assert len(drawn) == 2


# --- other processes --------------------------------------------------------------------------------------------------


def test_a_scene_knows_its_font_file_in_a_new_process(folder: Path) -> None:
    write_font(folder / "fonts" / "v.ttf", Made("Vary", axis=(100, 400, 900)))
    scene = set_text(folder, text('font-family="Vary" font-weight="650"'))
    program = (
        "import pickle, sys, hashlib\n"
        "from render.png import paint\n"
        "scene = pickle.loads(sys.stdin.buffer.read())\n"
        "print(hashlib.sha256(paint.draw_png(scene, 100)).hexdigest())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(scene), capture_output=True, check=True)
    from hashlib import sha256

    from render.png import paint

    assert done.stdout.decode().strip() == sha256(paint.draw_png(scene, 100)).hexdigest()


def test_a_worker_elsewhere_draws_with_the_font_that_it_is_sent(folder: Path) -> None:
    file = write_font(folder / "fonts" / "a.ttf", Made("Sent"))
    content = file.read_bytes()
    (run,) = runs(set_text(folder, text('font-family="Sent"')))
    file.unlink()
    assert isinstance(run.face, OwnFace)
    there = OwnFace("Sent Regular", Path("/elsewhere/a.ttf"), run.face.digest)
    assert there == run.face
    fonts.face.cache_clear()
    with with_fonts({there.digest: content}):
        assert fonts.face(there).units_per_em == 1000
    fonts.face.cache_clear()
    with pytest.raises(FontChangedError):
        fonts.face(there)


def test_a_font_is_drawn_by_a_new_process_though_another_folder_no_longer_has_it(folder: Path, tmp_path: Path) -> None:
    """The words are kept that were shaped for the other one, and its path with them."""
    other = tmp_path / "other"
    for each in (other, folder):
        write_font(each / "fonts" / "a.ttf", Made("Kept"))
    set_text(other, text('font-family="Kept"'))
    write_font(other / "fonts" / "a.ttf", Made("Kept", em=1024))
    (run,) = runs(set_text(folder, text('font-family="Kept"')))
    fonts.face.cache_clear()
    assert fonts.face(run.face).units_per_em == 1000
    program = "import pickle, sys; from render.text import fonts; fonts.face(pickle.load(sys.stdin.buffer))"
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(run.face), check=True)


def test_the_digest_of_a_scene_is_that_of_the_content_of_its_fonts(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for each, made in ((folder, Made("Same")), (other, Made("Same"))):
        write_font(each / "fonts" / "a.ttf", made)
    one, two = (scene_digest(set_text(each, text('font-family="Same"'))) for each in (folder, other))
    assert one == two
    write_font(other / "fonts" / "a.ttf", Made("Same", em=1024))
    assert scene_digest(set_text(other, text('font-family="Same"'))) != one


def test_a_font_that_changed_since_it_was_laid_out_is_not_drawn(folder: Path) -> None:
    file = write_font(folder / "fonts" / "a.ttf", Made("Fleeting"))
    scene = set_text(folder, text('font-family="Fleeting"'))
    write_font(file, Made("Fleeting", em=1024))
    fonts.face.cache_clear()
    with pytest.raises(FontChangedError):
        as_png(scene, 50)


# --- lines of Chinese, Japanese and Korean ----------------------------------------------------------------------------

EAST_ASIAN = (
    "「猫」は、静かに眠っている。彼は「待って……」と言った。カード2枚を引く。"
    "他说：“你好！”然后走了（再见）。고양이가 잠을 잔다."
)


def lines(scene: Scene) -> list[list[object]]:
    found: dict[float, list[object]] = {}
    for run in runs(scene):
        found.setdefault(run.transform.f, []).append(run)
    return list(found.values())


@pytest.mark.parametrize("width", range(14, 55, 2))
def test_no_line_begins_with_closing_or_ends_with_opening_punctuation(folder: Path, width: int) -> None:
    (folder / "own.otf").write_bytes(CJK.read_bytes())
    content = f'<text x="4" y="4" width="{width}" height="80" font-family="own" font-size="3.2">{EAST_ASIAN}</text>'
    scene = set_text(folder, content, [FontRole(name="own", files=("own.otf",))])
    words = ["".join(run.words for run in line).strip() for line in lines(scene)]  # type: ignore[attr-defined]
    assert "".join(words).replace(" ", "") == EAST_ASIAN.replace(" ", "")
    for line in words:
        assert line[0] not in "。、」）！：”…ーっょ"
        assert line[-1] not in "「（“"


def test_justified_lines_of_ideographs_end_at_the_edge_of_their_box(folder: Path) -> None:
    (folder / "own.otf").write_bytes(CJK.read_bytes())
    box = 'x="4" y="4" width="41" height="80" text-anchor="justify"'
    content = f'<text {box} font-family="own" font-size="4">{EAST_ASIAN}</text>'
    scene = set_text(folder, content, [FontRole(name="own", files=("own.otf",))])
    ends = []
    for line in lines(scene):
        last = line[-1]
        ends.append(last.transform.e + sum(last.advances) / fonts.face(last.face).units_per_em * 4)  # type: ignore[attr-defined]
        assert "  " not in "".join(run.words for run in line)  # type: ignore[attr-defined]
    assert len(ends) > 3
    assert ends[:-1] == pytest.approx([45.0] * (len(ends) - 1), abs=0.02)


def test_texts_of_other_scripts_are_set_without_the_library_for_line_breaks() -> None:
    program = (
        "import sys\n"
        "from render.text.line_breaking import TextStyle, words_of\n"
        "words_of((('Größe – œuvre “well-known” Δέλτα', TextStyle('DejaVu Sans', (0, 0, 0))),))\n"
        "others = ('uniseg', 'bidi', 'render.text.font_files.font_reading', 'render.text.font_chains')\n"
        "assert not set(others) & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(("outline", "ends"), [(True, "drawn in that of the words"), (False, "nothing would be seen")])
def test_letters_in_colors_are_told_of(folder: Path, outline: bool, ends: str) -> None:
    font = TTFont(write_font(folder / "fonts" / "colors.ttf", Made("Colors")))
    if not outline:
        font["glyf"]["u0062"] = TTGlyphPen(None).glyph()
    font["COLR"] = buildCOLR({"u0062": [("u0063", 0), ("u0064", 1)]})
    font["CPAL"] = buildCPAL([[(1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)]])
    font.save(folder / "fonts" / "colors.ttf")
    (folder / "tried.svg").write_text(svg(text('font-family="Colors"', "abc")), encoding="utf-8")
    found, template = list[Diagnostic](), Templates([folder], fonts=FontBook([folder])).get("tried")
    try:
        lay_out(template, {}, lambda _: None, found)  # type: ignore[arg-type, return-value]
    except Refused as refused:
        assert not outline
        found += refused.findings
    (told,) = found
    assert (told.code, told.severity is Severity.WARNING) == ("L012", outline)
    assert told.message.startswith("the font `Colors Regular` has `b` of `<text>` in colors, which are not drawn: ")
    assert told.message.endswith(ends)
