"""Read a font file: what it is called, what it covers, and whether it may be used. Bounded in size and in time.

What is looked at follows the OpenType specification, 1.9.1. The outlines and rules of the font are not believed:
`trial` tries them in a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import struct
from functools import cached_property
from pathlib import Path

import uharfbuzz as hb
from msgspec import Struct

from render.base.caches import BoundedCache, stored
from render.base.files import permission_hint
from render.base.findings import Diagnostic, listed
from render.base.limits import FONT, FONT_AXES, FONT_RULES, FONT_TABLES
from render.base.reach import describe_escape, open_real, real_path
from render.text.font_files.font_face import FontFault, damaged

_KEPT = stored(BoundedCache["FontFile"](128 << 20, lambda font: len(font.content)))

_STRETCHES = (50.0, 62.5, 75.0, 87.5, 100.0, 112.5, 125.0, 150.0, 200.0)  # usWidthClass 1 to 9, in per cent
_RESTRICTED, _PREVIEW, _EDITABLE, _WHOLE_ONLY, _BITMAPS_ONLY = 0x2, 0x4, 0x8, 0x100, 0x200  # of fsType


class Axis(Struct, frozen=True):
    """An axis of a variable font: its tag, and its least, usual and greatest value."""

    tag: str
    least: float
    usual: float
    most: float


class FontFile(Struct, frozen=True, kw_only=True, dict=True):
    """A font file that can be used: `name` as a person writes it, `family` as the font calls itself.

    `weight`, `stretch` and `italic` are those of the font; a variable one has `axes`, and `instances` by name.
    """

    name: str
    file: Path
    digest: str
    content: bytes
    family: str
    families: frozenset[str]
    style: str
    weight: float
    stretch: float
    italic: bool
    axes: tuple[Axis, ...]
    instances: tuple[tuple[str, tuple[float, ...]], ...]

    def is_of(self, family: str) -> bool:
        """Return whether the font is of a family, by any of its names; capitals do not count."""
        return family.casefold() in self.families

    @cached_property
    def _font(self) -> hb.Font:
        return hb.Font(hb.Face(hb.Blob(self.content)))

    def has(self, char: str) -> bool:
        """Return whether the font has a character."""
        return bool(self._font.get_nominal_glyph(ord(char)))


def read_font(file: Path, name: str, home: Path) -> FontFile:
    """Return a font of the folder `home`; FontFault if it lies elsewhere, is none, or may not be used.

    The last ones are kept, by their content.
    """
    content = _content(file, name, home)
    digest = hashlib.sha256(content).hexdigest()
    return _KEPT.get((digest, name, file), lambda: _judged(content, name, file, digest))


def font_content(file: Path, digest: str) -> bytes | None:
    """Return the bytes of a font file; None if it is no longer the one with that SHA-256."""
    try:
        with file.open("rb") as stream:
            content = stream.read(FONT.most + 1)
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None


def _content(file: Path, name: str, home: Path) -> bytes:
    path = real_path(file, home)
    if path is None:
        if not os.path.lexists(file) and ".." not in Path(name).parts and not Path(name).is_absolute():
            raise FontFault(Diagnostic("L004", f"there is no font `{name}`", _DIRECTIONS), file)
        how = describe_escape(file, "the folder") if os.path.lexists(file) else "lies outside the folder"
        raise FontFault(Diagnostic("L004", f"the font `{name}` {how}", "copy the font into the folder"), file)
    try:
        if not path.is_file():
            what = "is a folder, not a file" if path.is_dir() else "is not a file"
            message = f"the font `{name}` {what}" if path.exists() else f"there is no font `{name}`"
            raise FontFault(Diagnostic("L004", message, _DIRECTIONS), file)
        with os.fdopen(open_real(path), "rb") as stream:
            content = stream.read(FONT.most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problem = Diagnostic(
            "L004", f"the font `{name}` cannot be read: {reason.lower()}", permission_hint(error, path)
        )
        raise FontFault(problem, file) from None
    if len(content) > FONT.most:
        hint = "leave out the characters that no card needs, with a program for fonts"
        raise FontFault(Diagnostic("L004", f"the font `{name}` is larger than {FONT}", hint), file)
    return content


_DIRECTIONS = "fonts lie in the folder of the set or of its game, as `.ttf` or `.otf` files"

# How files begin that are fonts, but none that can be used here.
_OTHER_KINDS = {
    b"wOFF": ("is packed for web pages (WOFF)", "unpack it into a `.ttf` or `.otf` file, or get it in that form"),
    b"wOF2": ("is packed for web pages (WOFF2)", "unpack it into a `.ttf` or `.otf` file, or get it in that form"),
    b"\x80\x01": ("is a Type 1 font", "get the family as `.otf` or `.ttf` files"),
    b"%!PS": ("is a Type 1 font", "get the family as `.otf` or `.ttf` files"),
    b"%!Fo": ("is a Type 1 font", "get the family as `.otf` or `.ttf` files"),
    b"STAR": ("is a bitmap font (BDF)", "get a font with outlines, as a `.ttf` or `.otf` file"),
    b"\x01fcp": ("is a bitmap font (PCF)", "get a font with outlines, as a `.ttf` or `.otf` file"),
}
_KNOWN = (b"\0\1\0\0", b"OTTO", b"true")


def _judged(content: bytes, name: str, file: Path, digest: str) -> FontFile:
    try:
        return _read(content, name, file, digest)
    except FontFault as fault:
        fault.file = file
        raise
    except (struct.error, IndexError, ValueError, ArithmeticError):
        raise FontFault(damaged(name, "one of its tables is cut off"), file) from None


def _read(content: bytes, name: str, file: Path, digest: str) -> FontFile:
    _check_kind(content, name)
    face = hb.Face(hb.Blob(content))
    _check_tables(content, face, name)
    os2 = _table(face, "OS/2")
    _check_license(os2, name)
    axes = tuple(Axis(axis.tag, axis.min_value, axis.default_value, axis.max_value) for axis in face.axis_infos)
    if len(axes) > FONT_AXES.most:
        raise FontFault(Diagnostic("L004", f"the font `{name}` has {len(axes)} axes, more than {FONT_AXES.most}"))
    family = _family(face) or file.stem
    style = face.get_name(17) or face.get_name(2) or ""
    mac_style = struct.unpack(">H", _table(face, "head")[44:46])[0]
    weight, width = struct.unpack(">HH", os2[4:8]) if len(os2) >= 8 else (700 if mac_style & 1 else 400, 5)
    selection = struct.unpack(">H", os2[62:64])[0] if len(os2) >= 64 else mac_style >> 1
    return FontFile(
        name=name,
        file=file,
        digest=digest,
        content=content,
        family=family,
        families=frozenset(each.casefold() for each in (face.get_name(1), family, face.get_name(4)) if each),
        style=style,
        weight=float(min(max(weight, 1), 1000)),
        stretch=_STRETCHES[min(max(width, 1), 9) - 1],
        italic=bool(selection & 0x201),  # bits 0 (italic) and 9 (oblique) of fsSelection
        axes=axes,
        instances=_instances(face),
    )


def _family(face: hb.Face) -> str:
    """Return the typographic family, else the family of four styles; only what a person can write."""
    name = face.get_name(16) or face.get_name(1) or ""
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())[:100]


def _instances(face: hb.Face) -> tuple[tuple[str, tuple[float, ...]], ...]:
    named = ((face.get_name(each.subfamily_name_id) or "", each.design_coords) for each in face.named_instances)
    return tuple((title, tuple(place)) for title, place in named if title)


def _check_kind(content: bytes, name: str) -> None:
    """Raise FontFault if a file is no TrueType or OpenType font."""
    if content.startswith(b"ttcf"):
        what = f"the font `{name}` is a collection of fonts (TTC), which cannot be used"
        raise FontFault(
            Diagnostic(
                "L005", what, f"save the face that you need{_faces(content)} as a `.ttf` or `.otf` file of its own"
            )
        )
    for head, (what, hint) in _OTHER_KINDS.items():
        if content.startswith(head):
            raise FontFault(Diagnostic("L005", f"the font `{name}` {what}, which cannot be used", hint))
    if not content.startswith(_KNOWN):
        raise FontFault(Diagnostic("L004", f"`{name}` is no font", "get the font as a `.ttf` or `.otf` file"))


def _faces(content: bytes) -> str:
    """Return the names of the first faces of a collection that tell theirs, as `, `A` or `B`,`; "" without any."""
    (count,) = struct.unpack(">I", content[8:12])
    faces = (hb.Face(hb.Blob(content), index) for index in range(min(count, _MOST_FACES)))
    names = dict.fromkeys(f"{_family(face)} {face.get_name(17) or face.get_name(2) or ''}".strip() for face in faces)
    names.pop("", None)
    return f", {listed([*names])}," if names else ""


_MOST_FACES = 6  # that a message names


def _check_tables(content: bytes, face: hb.Face, name: str) -> None:
    """Raise FontFault if a font has not the tables that setting text needs (OpenType, "Font tables")."""
    (count,) = struct.unpack(">H", content[4:6])
    if count > FONT_TABLES.most:
        raise FontFault(damaged(name, f"it says that it has {count} tables"))
    tags = set()
    for record in range(12, 12 + 16 * count, 16):
        tag, _, start, length = struct.unpack(">4sIII", content[record : record + 16])
        tags.add(tag.decode("latin-1"))
        if start + length > len(content):
            raise FontFault(damaged(name, f"its table `{tag.decode('latin-1')}` reaches beyond the end of the file"))
        if tag in _RULES and length > FONT_RULES.most:
            rules = f"{length >> 20} MiB of rules (`{tag.decode()}`), more than {FONT_RULES}"
            raise FontFault(Diagnostic("L008", f"the font `{name}` has {rules}", "use another font"))
    if not tags & {"glyf", "CFF ", "CFF2"}:
        if tags & {"EBDT", "CBDT", "sbix", "bdat", "SVG "}:
            hint = "get a font with outlines, as a `.ttf` or `.otf` file"
            raise FontFault(Diagnostic("L005", f"the font `{name}` has pictures in place of outlines", hint))
        raise FontFault(damaged(name, "it has no outlines"))
    lost = [tag for tag in ("head", "hhea", "hmtx", "maxp") if tag not in tags]
    lost += ["loca"] if "glyf" in tags and "loca" not in tags else []
    if lost:
        raise FontFault(damaged(name, f"its table `{lost[0]}` is missing"))
    if not face.glyph_count or not 16 <= face.upem <= 16384 or len(_table(face, "head")) < 54:
        raise FontFault(damaged(name, "it has no glyphs, or no size"))
    if "cmap" not in tags or not face.unicodes:
        hint = "get the font with a Unicode character map"
        raise FontFault(Diagnostic("L005", f"the font `{name}` does not say which characters it has (`cmap`)", hint))


_RULES = (b"GSUB", b"GPOS", b"GDEF", b"kern", b"kerx", b"morx", b"mort")


def _check_license(os2: bytes, name: str) -> None:
    """Raise FontFault if the font forbids what a PDF does with it (OpenType, OS/2, `fsType`)."""
    allowed = struct.unpack(">H", os2[8:10])[0] if len(os2) >= 10 else 0
    hint = "use another font, or ask its maker for a license that allows it, and for the file that goes with it"
    # Of several bits among the first four, the least restrictive counts (version 2 and earlier).
    if allowed & _RESTRICTED and not allowed & (_PREVIEW | _EDITABLE):
        raise FontFault(Diagnostic("L006", f"the font `{name}` forbids that files embed it", hint))
    if allowed & _WHOLE_ONLY:
        raise FontFault(Diagnostic("L006", f"the font `{name}` forbids that files embed a part of it", hint))
    if allowed & _BITMAPS_ONLY:
        raise FontFault(Diagnostic("L006", f"the font `{name}` forbids that files embed its outlines", hint))


def _table(face: hb.Face, tag: str) -> bytes:
    return bytes(face.reference_table(tag).data)
