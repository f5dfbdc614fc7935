"""Small templates for tests: written as people write them, filled in, laid out and drawn."""

from pathlib import Path
from textwrap import dedent

from render.base.resources import TEMPLATES
from render.images import inspect
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.pdf import document
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Picture, Placement, Scene, TextRun, walk
from render.text.font_book import NO_FONTS, FontBook
from tests.support import rasters

ROOT = 'xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"'


def svg(content: str, root: str = ROOT) -> str:
    """Return a template of a whole card that holds `content`, which begins on line 2."""
    return f"<svg {root}>\n{dedent(content).strip()}\n</svg>\n"


def place(folder: Path, files: dict[str, str]) -> Path:
    """Write templates into the folder `templates` of a set; return the set's folder."""
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / "templates" / name).write_text(content, encoding="utf-8")
    return folder


PLAIN_BACK = svg('<rect x="-5" y="-5" width="73.5" height="98.9" fill="#1b2447"/>')


def with_plain_back(folder: Path) -> Path:
    """Give a set a back of one color, and return its folder.

    The shipped back has 700 shapes: to draw, write and read them takes longer than all else of a small set. Tests whose
    claim is not about them do without.
    """
    return place(folder, {"back.svg": PLAIN_BACK})


def laid_out(folder: Path, template: str, **values: object) -> Scene:
    """Return the scene of a template; pictures are found in the folder, and fonts in `fonts` there."""
    (folder / "tried.svg").write_text(template, encoding="utf-8")

    def picture(href: str) -> inspect.Artwork:
        found = inspect.inspect(folder / href, inspect.PictureReference(href)).artwork
        assert found is not None
        return found

    fonts = FontBook([folder]) if (folder / "fonts").is_dir() else NO_FONTS
    return lay_out(Templates([folder], [TEMPLATES / "kotc", TEMPLATES], fonts).get("tried"), values, picture)


def runs(scene: Scene) -> list[TextRun]:
    return [item for item in walk(scene.items) if isinstance(item, TextRun)]


def pictures(scene: Scene) -> list[Picture]:
    return [item for item in walk(scene.items) if isinstance(item, Picture)]


def as_png(scene: Scene, dpi: float) -> rasters.Pixels:
    """Return the face as its PNG shows it."""
    return rasters.png(packing.encode(paint.paint(scene, Canvas(dpi)), dpi))


def as_pdf(scene: Scene, dpi: float) -> rasters.Pixels:
    """Return the face as a PDF page of its size shows it."""
    page = document.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    just_below = dpi * (1 - 1e-5)  # PDFium rounds the number of pixels up, and what it draws with it
    return rasters.reduced(document.write([page], document.PdfOptions("Card")), just_below, 4)
