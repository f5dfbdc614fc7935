"""Makes the sound PDFs of other programs: `python tests/shops/sound/make.py`, with typst, weasyprint, fpdf2, reportlab
and pikepdf installed, and Ghostscript (`gs`) and Poppler's `pdftocairo` on the path.

No test runs this: what it made lies beside it. Nothing in it is of somebody else but the bundled fonts and profiles.
"""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, String
from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FONT = ROOT / "fonts/DejaVuSansCondensed.ttf"
PRESS = ROOT / "render/images/profiles/cgats-tr-006-tac236.icc"
SRGB = ROOT / "render/images/profiles/sRGB2014.icc"
DATE = "D:20250102030405Z"


def photograph(mode: str, size: tuple[int, int] = (160, 120)) -> Image.Image:
    """Return a picture with soft colors, as a photograph has them."""
    ramps = [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L").rotate(90)]
    soft = Image.merge("RGB", [ramp.resize(size) for ramp in ramps])
    if mode == "RGB":
        return soft
    cyan, magenta, yellow = (plate.point(lambda value: value // 2) for plate in soft.split())
    return Image.merge("CMYK", (cyan, magenta, yellow, cyan.point(lambda value: value // 4)))


def jpeg(mode: str) -> bytes:
    out = BytesIO()
    photograph(mode).save(out, "JPEG", quality=80)
    return out.getvalue()


# --- typst ----------------------------------------------------------------------------------------------------------

TYPST = """
#set document(title: "A sound page", author: "A. Author", date: datetime(year: 2025, month: 1, day: 2))
#set page(width: 69.85mm, height: 95.25mm, margin: 10mm)
#set text(font: "DejaVu Sans", size: 9pt)
= A sound page
Some #emph[efficient] words in _italics_ and #text(fill: rgb("#800000"))[red], fi fl, and a
#link("https://example.org/")[link].

"""
TYPST_PLAIN = (
    TYPST
    + """
#rect(width: 100%, height: 8mm, fill: rgb("#1b2447"), stroke: 0.4mm)
#image("photo.jpg", width: 30mm)
"""
)
TYPST_SOFT = (
    TYPST
    + """
#rect(width: 100%, height: 9mm, fill: gradient.linear(red, blue))
#place(dx: 4mm, dy: -4mm, circle(radius: 5mm, fill: rgb(0, 120, 60, 50%)))
#image("drawing.svg", width: 20mm)
$ integral_0^1 x^2 dif x = 1/3 $
"""
)
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><circle cx="20" cy="20" r="18" fill="#a33"
opacity=".6"/><text x="8" y="24" font-family="DejaVu Sans" font-size="9">drawn</text></svg>"""


def typst_files(folder: Path) -> None:
    import typst

    (folder / "photo.jpg").write_bytes(jpeg("RGB"))
    (folder / "drawing.svg").write_text(SVG)
    for name, words in (("typst-a-2b", TYPST_PLAIN), ("typst-soft-a-2b", TYPST_SOFT)):
        (folder / f"{name}.typ").write_text(words)
        fonts = [str(ROOT / "fonts")]
        made = typst.compile(str(folder / f"{name}.typ"), format="pdf", pdf_standards=["a-2b"], font_paths=fonts)
        (HERE / f"{name}.pdf").write_bytes(made)


# --- WeasyPrint -----------------------------------------------------------------------------------------------------

STYLE = """
@font-face { font-family: Sans; src: url(FONT) }
@color-profile device-cmyk { src: url(PRESS); components: cyan, magenta, yellow, black }
@page { size: 63.5mm 88.9mm; margin: 8mm; bleed: 3mm; marks: MARKS }
body { font: 9pt Sans; color: BLACK }
h1 { font-size: 13pt } hr { border: 0.3mm solid BLACK } .soft { background: SOFT; padding: 2mm; opacity: ALPHA }
"""
PAGE = "<title>A sound page</title><h1>A sound page</h1><p>Some efficient words.<hr><p class=soft>On a tint.{rest}"


def weasyprint_files(folder: Path) -> None:
    from weasyprint import CSS, HTML

    (folder / "photo.jpg").write_bytes(jpeg("RGB"))
    picture = "<img src=photo.jpg style='width: 25mm; image-rendering: crisp-edges'>"
    archive = f"<p><a href='https://example.org/'>A link</a><p>{picture}"
    for name, rest, variant, black, soft, alpha in (
        ("weasyprint-a-2b", archive, "pdf/a-2b", "#000", "#dde", "1"),
        ("weasyprint-soft-a-2b", archive, "pdf/a-2b", "#333", "#fc8", "0.6"),
        ("weasyprint-x-1a", "", "pdf/x-1a", "device-cmyk(0 0 0 1)", "device-cmyk(.1 0 .3 0)", "1"),
        ("weasyprint-x-4", "", "pdf/x-4", "device-cmyk(0 0 0 1)", "device-cmyk(.1 0 .3 0)", "0.6"),
    ):
        words = STYLE.replace("FONT", FONT.as_uri()).replace("PRESS", PRESS.as_uri())
        words = words.replace("BLACK", black).replace("SOFT", soft).replace("ALPHA", alpha).replace("MARKS", "none")
        html = HTML(string=PAGE.format(rest=rest), base_url=str(folder))
        options = {} if "/a" in variant else {"output_intent": "device-cmyk"}
        html.write_pdf(HERE / f"{name}.pdf", stylesheets=[CSS(string=words)], pdf_variant=variant, **options)
        if "/x" in variant:
            with_intent(HERE / f"{name}.pdf")


# --- fpdf2, ReportLab, cairo, Ghostscript ---------------------------------------------------------------------------


def fpdf2_file() -> None:
    import fpdf

    made = fpdf.FPDF(unit="mm", format=(69.85, 95.25), enforce_compliance="PDF/A-2B")
    made.set_title("A sound page")
    made.set_lang("en")
    made.add_font("Sans", "", FONT)
    made.add_page()
    made.set_font("Sans", size=11)
    made.cell(50, 8, "A sound page", link="https://example.org/")
    made.set_draw_color(90, 0, 0)
    made.rect(12, 40, 30, 20)
    made.image(photograph("RGB", (80, 60)), 12, 62, 30)
    made.output(str(HERE / "fpdf2-a-2b.pdf"))


def reportlab_page(file: Path, *, press: bool) -> Path:
    from reportlab import rl_config
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0
    pdfmetrics.registerFont(TTFont("Sans", FONT))
    canvas = Canvas(str(file), pagesize=(198, 270), initialFontName="Sans", pdfVersion=(1, 4), invariant=1)
    canvas.setTitle("A sound page")
    canvas.setTrimBox((9, 9, 189, 261))
    canvas.setBleedBox((0, 0, 198, 270))
    canvas.setFont("Sans", 11)
    (canvas.setFillColorCMYK if press else canvas.setFillColorRGB)(*((0.2, 0.1, 0, 0) if press else (0.9, 0.9, 0.7)))
    canvas.rect(0, 0, 198, 270, stroke=0, fill=1)
    (canvas.setFillColorCMYK if press else canvas.setFillColorRGB)(*((0, 0, 0, 1) if press else (0, 0, 0)))
    canvas.drawString(30, 200, "A sound page")
    (canvas.setStrokeColorCMYK if press else canvas.setStrokeColorRGB)(*((0, 1, 1, 0) if press else (1, 0, 0)))
    canvas.rect(30, 100, 120, 60)
    canvas.save()
    return file


def cairo_page(source: Path, file: Path) -> Path:
    subprocess.run(["pdftocairo", "-pdf", source, file], check=True)
    return file


def ghostscript(source: Path, file: Path, *options: str) -> Path:
    command = ["gs", "-q", "-dNOSAFER", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", *options, f"-sOutputFile={file}"]
    subprocess.run([*command, str(definition(file)), str(source)], check=True)
    return file


DEFINITION = """%!PS
[/Title (A sound page) /Trapped /False /DOCINFO pdfmark
[/_objdef {{icc}} /type /stream /OBJ pdfmark
[{{icc}} << /N {n} >> /PUT pdfmark
[{{icc}} ({profile}) (r) file /PUT pdfmark
[/_objdef {{intent}} /type /dict /OBJ pdfmark
[{{intent}} << /Type /OutputIntent /S /{kind} /DestOutputProfile {{icc}} /OutputConditionIdentifier ({condition})
  /Info ({condition}) >> /PUT pdfmark
[{{Catalog}} << /OutputIntents [ {{intent}} ] >> /PUT pdfmark
"""


def definition(file: Path) -> Path:
    press = "-x-" in file.name
    words = DEFINITION.format(
        n=4 if press else 3,
        profile=PRESS if press else SRGB,
        kind="GTS_PDFX" if press else "GTS_PDFA1",
        condition="CGATS TR 006" if press else "sRGB",
    )
    made = file.with_suffix(".ps")
    made.write_text(words)
    return made


# --- structures by pikepdf ------------------------------------------------------------------------------------------


def xmp(*pairs: tuple[str, str]) -> bytes:
    names = {
        "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
        **({"pdfxid": "http://www.npes.org/pdfx/ns/id/"} if any("pdfxid" in name for name, _ in pairs) else {}),
        "pdf": "http://ns.adobe.com/pdf/1.3/",
        "xmp": "http://ns.adobe.com/xap/1.0/",
        "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
        "dc": "http://purl.org/dc/elements/1.1/",
    }
    spaces = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in names.items())
    title = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A sound page</rdf:li></rdf:Alt></dc:title>'
    values = title + "".join(f"<{name}>{value}</{name}>" for name, value in pairs)
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" {spaces}>{values}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def with_intent(file: Path) -> None:
    """Give a file for a press an output intent by its registered name; the test puts a profile into it for PDF/X-4."""
    with Pdf.open(file, allow_overwriting_input=True) as pdf:
        intend(pdf, "GTS_PDFX", PRESS, "CGATS TR 006")
        del pdf.Root.OutputIntents[0].DestOutputProfile
        pdf.Root.OutputIntents[0].RegistryName = String("http://www.color.org")
        mode = ObjectStreamMode.disable if "x-1a" in file.name else ObjectStreamMode.generate
        pdf.remove_unreferenced_resources()
        pdf.save(
            file, object_stream_mode=mode, deterministic_id=True, force_version="1.4" if "x-1a" in file.name else "1.6"
        )


def intend(pdf: Pdf, kind: str, profile: Path, condition: str) -> None:
    stream = pdf.make_stream(profile.read_bytes())
    stream.N = 4 if profile == PRESS else 3
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name(f"/{kind}"),
        OutputConditionIdentifier=String(condition),
        Info=String(condition),
        DestOutputProfile=stream,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])


def metadata(pdf: Pdf, *pairs: tuple[str, str]) -> None:
    packet = pdf.make_stream(xmp(*pairs))
    packet.Type, packet.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = packet


def archived(source: Path, file: Path) -> None:
    """Save a plain page of another program as PDF/A-2b, without an Info dictionary and without a trim box."""
    with Pdf.open(source) as pdf:
        if "/Info" in pdf.trailer:
            del pdf.trailer.Info
        for font in pdf.objects:
            if isinstance(font, Dictionary) and font.get("/Subtype") == Name.CIDFontType2:
                font.CIDToGIDMap = font.get("/CIDToGIDMap", Name.Identity)
        for page in pdf.pages:
            for key in ("/TrimBox", "/BleedBox", "/Trans"):
                if key in page.obj:
                    del page.obj[key]
        intend(pdf, "GTS_PDFA1", SRGB, "sRGB")
        metadata(pdf, ("pdfaid:part", "2"), ("pdfaid:conformance", "B"))
        pdf.save(file, min_version="1.7", object_stream_mode=ObjectStreamMode.generate, deterministic_id=True)


def described(pdf: Pdf, **more: Any) -> None:
    pdf.trailer.Info = pdf.make_indirect(
        Dictionary(
            Title=String("A sound page"),
            Creator=String("Adobe InDesign 19.0 (Macintosh)"),
            Producer=String("Adobe PDF Library 17.0"),
            CreationDate=String(DATE),
            ModDate=String(DATE),
            Trapped=Name("/False"),
            **more,
        )
    )


def laid_out_page(source: Path, *, transparent: bool) -> Pdf:
    """Return a page built as layout programs build it: a CMYK JPEG, a gradient, a tint, overprinting black type."""
    pdf = Pdf.open(source)
    page = pdf.pages[0]
    picture = pdf.make_stream(b"")
    picture.write(jpeg("CMYK"), filter=Name.DCTDecode)
    picture.Type, picture.Subtype, picture.Width, picture.Height = Name.XObject, Name.Image, 160, 120
    picture.ColorSpace, picture.BitsPerComponent, picture.Intent = Name.DeviceCMYK, 8, Name.RelativeColorimetric
    picture.Decode = Array([1, 0] * 4)
    page.add_resource(picture, Name.XObject, Name.Im0)
    stitched = Dictionary(
        FunctionType=3,
        Domain=Array([0, 1]),
        Bounds=Array([0.5]),
        Encode=Array([0, 1, 0, 1]),
        Functions=Array(
            [
                Dictionary(
                    FunctionType=2, Domain=Array([0, 1]), N=1, C0=Array([1, 0.2, 0, 0]), C1=Array([0, 1, 0.3, 0])
                ),
                Dictionary(
                    FunctionType=2, Domain=Array([0, 1]), N=1.4, C0=Array([0, 1, 0.3, 0]), C1=Array([0, 0, 1, 0.1])
                ),
            ]
        ),
    )
    shading = Dictionary(
        ShadingType=2,
        ColorSpace=Name.DeviceCMYK,
        Coords=Array([0, 0, 120, 0]),
        Function=stitched,
        Extend=Array([True, True]),
    )
    page.add_resource(shading, Name.Shading, Name.Sh0)
    overprint = Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1, SA=True, SMask=Name("/None"), AIS=False)
    overprint.BM, overprint.CA, overprint.ca = Name.Normal, 1, 1
    page.add_resource(overprint, Name.ExtGState, Name.GS0)
    knockout = Dictionary(Type=Name.ExtGState, OP=False, op=False, OPM=1, SA=True)
    page.add_resource(knockout, Name.ExtGState, Name.GS1)
    black = Array(
        [
            Name.Separation,
            Name.Black,
            Name.DeviceCMYK,
            Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1, C0=Array([0, 0, 0, 0]), C1=Array([0, 0, 0, 1])),
        ]
    )
    page.add_resource(black, Name.ColorSpace, Name.CS0)
    drawn = [
        "q /GS1 gs 0.15 0.6 0.9 0 k 20 215 60 25 re f Q",
        "q 30 30 70 30 re W n 1 0 0 1 30 30 cm /Sh0 sh Q",
        "q 60 0 0 45 110 30 cm /Im0 Do Q",
        "q /GS0 gs /CS0 cs 1 scn 24 220 30 12 re f Q",
        "/Artifact <</Type /Pagination>> BDC EMC",
    ]
    if transparent:
        soft = Dictionary(Type=Name.ExtGState, BM=Name.Multiply, ca=0.6, CA=0.6)
        page.add_resource(soft, Name.ExtGState, Name.GS2)
        drawn.append("q /GS2 gs 0 0.3 0.2 0 k 120 80 40 40 re f Q")
        page.obj.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceCMYK, I=True, K=False)
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer 1")))
        pdf.Root.OCProperties = Dictionary(
            OCGs=Array([layer]), D=Dictionary(Name=String("Default"), Order=Array([layer]), ON=Array([layer]))
        )
        page.obj.Resources.Properties = Dictionary(MC0=layer)
        drawn = ["/OC /MC0 BDC", *drawn, "EMC"]
    page.contents_add("\n".join(drawn).encode())
    page.obj.Tabs = Name.S
    return pdf


def layout_files(source: Path) -> None:
    with laid_out_page(source, transparent=False) as pdf:
        intend(pdf, "GTS_PDFX", PRESS, "CGATS TR 006")
        described(pdf, GTS_PDFXVersion=String("PDF/X-1a:2003"))
        pdf.save(
            HERE / "layout-x-1a.pdf",
            force_version="1.4",
            object_stream_mode=ObjectStreamMode.disable,
            deterministic_id=True,
        )
    with laid_out_page(source, transparent=True) as pdf:
        intend(pdf, "GTS_PDFX", PRESS, "CGATS TR 006")
        described(pdf)
        metadata(
            pdf,
            ("pdfxid:GTS_PDFXVersion", "PDF/X-4"),
            ("pdf:Trapped", "False"),
            ("xmp:CreateDate", "2025-01-02T03:04:05Z"),
            ("xmp:ModifyDate", "2025-01-02T03:04:05Z"),
            ("xmp:MetadataDate", "2025-01-02T03:04:05Z"),
            ("xmpMM:DocumentID", "uuid:1"),
            ("xmpMM:VersionID", "3"),
            ("xmpMM:RenditionClass", "proof:pdf"),
        )
        pdf.save(
            HERE / "layout-x-4.pdf",
            force_version="1.6",
            object_stream_mode=ObjectStreamMode.generate,
            deterministic_id=True,
        )


def as_x1a(source: Path, file: Path) -> None:
    """Give a file of Ghostscript, which writes it as PDF/X-3, the name of the standard that it also keeps."""
    with Pdf.open(source) as pdf:
        pdf.docinfo["/GTS_PDFXVersion"] = String("PDF/X-1a:2003")
        pdf.save(file, force_version="1.4", object_stream_mode=ObjectStreamMode.disable, deterministic_id=True)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    typst_files(folder)
    weasyprint_files(folder)
    fpdf2_file()
    plain, press = reportlab_page(folder / "rgb.pdf", press=False), reportlab_page(folder / "cmyk.pdf", press=True)
    archived(plain, HERE / "reportlab-a-2b.pdf")
    archived(cairo_page(HERE / "typst-soft-a-2b.pdf", folder / "cairo.pdf"), HERE / "cairo-a-2b.pdf")
    ghostscript(
        plain, HERE / "ghostscript-a-2b.pdf", "-dPDFA=2", "-dPDFACompatibilityPolicy=1", "-sColorConversionStrategy=RGB"
    )
    ghostscript(
        HERE / "weasyprint-soft-a-2b.pdf",
        HERE / "ghostscript-soft-a-2b.pdf",
        "-dPDFA=2",
        "-dPDFACompatibilityPolicy=1",
        "-sColorConversionStrategy=RGB",
    )
    ghostscript(press, folder / "gs-x-3.pdf", "-dPDFX", "-sColorConversionStrategy=CMYK")
    as_x1a(folder / "gs-x-3.pdf", HERE / "ghostscript-x-1a.pdf")
    layout_files(press)
    for name in ("ghostscript-x-1a", "layout-x-1a", "layout-x-4"):
        with_intent(HERE / f"{name}.pdf")
    for left in HERE.glob("*.ps"):
        left.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp/sound"))
