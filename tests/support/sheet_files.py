"""Files of sheets for tests: a set of twelve cards, printed in any way, and what `kotc verify` says of them."""

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner, Result
from msgspec.structs import replace
from pikepdf import Dictionary, Pdf, String
from PIL import Image

from render.base.geometry import IDENTITY, Affine, Size
from render.base.sizes import POKER
from render.cli.commands.verify import verify
from render.exports.print_files import PrintJob, print_files, sheets
from render.game.cards import for_press
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.sheets.options import SheetOptions
from tests.support.sets import write_set
from tests.support.templates import with_plain_back

SET = "name: Four\nedition: 17\n"
FOUR = """\
- {name: Ant, kind: pawn, copies: 2}
- {name: Bee, kind: pawn}
- {name: Cat, kind: pawn, back: red.png}
- {name: Dog, kind: pawn, copies: 8}
"""
SMALL = Size(150.0, 210.0)  # a sheet of four cards


@cache
def cards() -> Path:
    """Return the folder of a set of twelve cards: a full sheet and three slots. One has a back of its own."""
    folder = with_plain_back(write_set(Path(_HOME.name) / "four", FOUR, SET))
    red = io.BytesIO()
    Image.new("RGB", (750, 1050), "red").save(red, "PNG")
    (folder / "red.png").write_bytes(red.getvalue())
    return folder


_HOME = TemporaryDirectory()


@cache
def job(size: Size = POKER, *, is_for_press: bool = False) -> PrintJob:
    """Return the faces of these cards, laid out at a size, for a printer at home or for a press."""
    found, findings = survey([cards()])
    assert not findings
    sets = tuple(replace(card_set, sheet=replace(card_set.sheet, card_size=size)) for card_set in found)
    sets = tuple(map(for_press, sets)) if is_for_press else sets
    return PrintJob(sets, tuple(face for card_set in sets for face in lay_out_set(card_set).faces))


def written(
    correction: Affine = IDENTITY,
    copies: Mapping[str, int] | None = None,
    printed: PrintJob | None = None,
    **options: Any,
) -> list[Path]:
    """Write the sheets of the job, or of cards of it as often as is said, into the current folder."""
    asked = SheetOptions(**options)
    if printed:
        made = _made(printed, asked, correction)
    else:
        made = _made_of_job(asked, correction, None if copies is None else tuple(copies.items()))
    for file, data in made:
        file.write_bytes(data)
    return [file for file, _ in made]


def small(**options: Any) -> Path:
    """Write one copy of each card on a small sheet, whose two pages take a quarter of the time to be judged."""
    (file,) = written(paper=SMALL, copies=dict.fromkeys(("ant", "bee", "cat", "dog"), 1), **options)
    return file


@lru_cache(maxsize=16)
def _made_of_job(
    asked: SheetOptions, correction: Affine, copies: tuple[tuple[str, int], ...] | None
) -> list[tuple[Path, bytes]]:
    """Return the files of the sheets; most tests want those that the one before had."""
    whole = job(asked.card_size, is_for_press=asked.for_press)
    return _made(whole if copies is None else reprinted(whole, dict(copies)), asked, correction)


def _made(printed: PrintJob, asked: SheetOptions, correction: Affine) -> list[tuple[Path, bytes]]:
    files = print_files(printed, sheets(printed, asked, correction), Path("sheets.pdf"))
    return [(file.name, b"".join(file.data())) for file in files]


def reprinted(job: PrintJob, copies: Mapping[str, int]) -> PrintJob:
    """Return the job with only some of its cards, each as often as is said."""
    faces = (
        replace(face, handle=replace(face.card, copies=copies[face.card.id]))
        for face in job.faces
        if face.card.id in copies
    )
    return replace(job, faces=tuple(faces))


def verified(*arguments: object) -> Result:
    result = CliRunner().invoke(verify, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# --- changing a file, and what is found then ------------------------------------------------------------------------

Change = Callable[[Pdf], None]


def found_after(change: Change, file: Path, *others: Path) -> list[str]:
    """Return what is found in a file once it is changed, without the name of the file."""
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        unfolded(pdf)
        change(pdf)
        pdf.save(file)
    result = verified(file, *others)
    findings = result.stdout.rstrip("\n").removeprefix(f"{file}:1:1: error: ")
    assert result.exit_code == (1 if findings else 0)
    return re.split(rf"\n{re.escape(str(file))}:1:1: error: ", findings) if findings else []


def rewritten(pdf: Pdf, page: int, *changes: tuple[str, str]) -> None:
    """Replace words of a page's content that are there once."""
    content = pdf.pages[page - 1].Contents.read_bytes().decode("latin-1")
    for old, new in changes:
        assert content.count(old) == 1, content
        content = content.replace(old, new)
    pdf.pages[page - 1].Contents = pdf.make_stream(content.encode("latin-1"))


def face(pdf: Pdf, page: int, number: int) -> str:
    """Return the content of a page that draws one of its faces, counted from 0 as they are drawn."""
    content = pdf.pages[page - 1].Contents.read_bytes().decode("latin-1")
    return [found[0] for found in re.finditer(r"/Card .*?EMC\n", content, re.DOTALL)][number]


def said(pdf: Pdf, **changes: object) -> None:
    """Change what the ticket says."""
    private = pdf.Root.PieceInfo.kotc
    private.Private = String(json.dumps(json.loads(str(private.Private)) | changes))


def unfolded(pdf: Pdf) -> None:
    """Let pages draw faces that are in the file once by themselves, not by a form, so that faults can be put into them."""
    contents = [page.Contents.read_bytes() for page in pdf.pages]
    shown = [
        (number, name, form)
        for number, page in enumerate(pdf.pages)
        for name, form in page.Resources.get("/XObject", Dictionary()).items()
        if name.startswith("/face")
    ]
    times = Counter(
        form.objgen for number, name, form in shown for _ in re.finditer(rb"%b Do\b" % name.encode(), contents[number])
    )
    for number, name, form in [each for each in shown if times[each[2].objgen] == 1]:
        own = rb"\1.%b" % name[1:].encode()  # names of forms, pictures and gradients are those of one face
        drawn = re.sub(_LOCAL, own, form.read_bytes())
        contents[number] = contents[number].replace(b"%b Do" % name.encode(), drawn)
        resources = pdf.pages[number].Resources
        del resources.XObject[name]
        for kind, held in form.Resources.items():
            renamed = {re.sub(_LOCAL, own, key.encode()).decode(): value for key, value in held.items()}
            resources[kind] = Dictionary({**dict(resources.get(kind, Dictionary()).items()), **renamed})
    for page, content in zip(pdf.pages, contents, strict=True):
        page.Contents = pdf.make_stream(content)


_LOCAL = rb"(/(?:drawing|picture|group|layer|gradient|seen)\d+)\b"
