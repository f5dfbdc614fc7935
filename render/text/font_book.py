"""The fonts that a set and its game bring along, by the names that templates call them: roles and families.

No file is looked at before a template, or a character that no bundled face has, asks for one. Of a family, the font is
chosen that comes closest to a style, in the order of preference of CSS Fonts 4, section 5.2: width first, then slope,
then weight. CSS would slant or embolden letters that a family does not have; here that is an error, since nothing is
guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, did_you_mean, listed
from render.base.limits import FONT_FILES
from render.text import fonts
from render.text.font_files.font_face import FaceChain, FontFault, Location, OwnFace
from render.text.font_roles import FontRole, FontStyle, UnknownFontError

if TYPE_CHECKING:
    from render.text.font_files.font_reading import Axis, FontFile

FONT_FOLDER = "fonts"
"""The folder of a set or a game in which fonts are found by their family."""

ENDINGS = (".ttf", ".otf")
"""The endings of font files. Files with other endings count only where they are named."""

_BOLD = 600.0  # from this weight on, a text that asks for it must look bold
_CONDENSED, _EXPANDED = 90.0, 110.0  # per cent: up to there, and from there on, a width differs from the normal one
_SLANTED = -14.0  # degrees on the axis `slnt`, where a font has no italic of its own (CSS Fonts 4, 2.4)
_MAX_LISTED = 8  # names of fonts in a message
_MAX_CHAIN = 16  # faces that are asked for one character


class RoleFault(Struct, frozen=True):
    """What is wrong with a role: with a font `file`, None if with none, or with one of its `fallback`s, "" if not."""

    problem: Diagnostic
    file: Path | None = None
    fallback: str = ""


class FontBook:
    """Finds fonts by role or family: the files that roles name, and those in `fonts` of each folder.

    The folders are the set's and its game's; what an earlier one has wins. Each file is read once. Texts are in the
    `language`, by which fonts choose letters.
    """

    def __init__(self, folders: Sequence[Path] = (), roles: Sequence[FontRole] = (), language: str = "") -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._roles = {each.name: each for role in roles for each in role.in_language(language)}
        self.language = language
        self._chains: dict[tuple[tuple[str, ...], FontStyle], str] = {}
        self._files: dict[str, tuple[FontFile, ...]] = {}
        self._in_folders: tuple[FontFile, ...] | None = None
        self._asked: dict[Path, None] = {}

    def chain(self, families: Sequence[str], style: FontStyle) -> str:
        """Return the name of the face of the first family in that style, with those that fill in for it.

        UnknownFontError if there is no such family, or none of that style; FontFault if a file cannot be used.
        """
        key = tuple(families), style
        if key not in self._chains:
            self._chains[key] = _chain(self, key[0], style)
        return self._chains[key]

    def filling(self, face: str, style: FontStyle) -> str:
        """Return a bundled face, and for letters that it lacks all fonts of the book, as near to that style as they have it."""
        faces = {face: None}
        with suppress(FontFault):  # told where a template uses it
            for family in self.names():
                with suppress(FontFault):
                    faces |= dict.fromkeys(_faces(self, family, style, exact=False, within=()))
        return FaceChain(list(faces)[:_MAX_CHAIN], self.language)

    def role(self, name: str) -> FontRole | None:
        """Return the role of that name."""
        return self._roles.get(name)

    def files(self, family: str) -> tuple[FontFile, ...]:
        """Return the font files of a role or a family; none if there is no such. FontFault if one cannot be used."""
        if family not in self._files:
            role = self._roles.get(family)
            if role:
                found = tuple(self._read(self._place(name), name) for name in role.files)
            else:
                found = tuple(file for file in self._lying() if file.is_of(family))
            self._files[family] = found
        return self._files[family]

    def names(self) -> list[str]:
        """Return the names of all roles and of all families in the folders."""
        return [*self._roles, *dict.fromkeys(file.family for file in self._lying())]

    def asked(self) -> tuple[Path, ...]:
        """Return all files that were looked at so far, and places where one would take precedence."""
        return tuple(self._asked)

    def check(self) -> Iterator[tuple[FontRole, RoleFault]]:
        """Yield what is wrong with roles and their files, for whoever reads where they are written."""
        for role in self._roles.values():
            for fault in _role_faults(self, role):
                yield role, fault

    def has(self, char: str) -> bool:
        """Return whether any font of the roles and folders has a character; broken files have none."""
        for family in self.names():
            try:
                files = self.files(family)
            except FontFault:  # told when it is used
                continue
            if any(file.has(char) for file in files):
                return True
        return False

    def __bool__(self) -> bool:
        return bool(self._roles) or any((folder / FONT_FOLDER).is_dir() for folder in self._folders)

    def _place(self, name: str) -> Path:
        """Return where the file of a role lies: in the first folder that has it, else in the first."""
        places = [folder / name for folder in self._folders]
        for place in places:
            self._asked[place] = None
            if place.exists():
                return place
        return places[0] if places else Path(name)

    def _lying(self) -> tuple[FontFile, ...]:
        """Return the fonts in the folders called `fonts`, in the order of their names."""
        if self._in_folders is None:
            places = [place for folder in self._folders for place in self._listed(folder / FONT_FOLDER)]
            self._in_folders = tuple(self._read(place, f"{FONT_FOLDER}/{place.name}") for place in places)
        return self._in_folders

    def _listed(self, folder: Path) -> list[Path]:
        self._asked[folder] = None
        try:
            found = sorted(file for file in folder.iterdir() if file.suffix.lower() in ENDINGS)
        except OSError:
            return []
        if len(found) > FONT_FILES.most:
            message = f"`{folder}` has {len(found)} fonts, more than {FONT_FILES.most}"
            raise FontFault(Diagnostic("L008", message, "leave out those that no template names"))
        return found

    def _read(self, place: Path, name: str) -> FontFile:
        from render.text.font_files.font_reading import read_font

        self._asked[place] = None
        home = next((folder for folder in self._folders if place.is_relative_to(folder)), place.parent)
        return read_font(place, name, home)


NO_FONTS = FontBook()
"""The book of a set without fonts of its own."""


# --- which faces a text is set in ---------------------------------------------------------------------------------------


def _chain(book: FontBook, families: Sequence[str], style: FontStyle) -> str:
    """Return the name of what sets the text, as `FontBook.chain` does."""
    faces: dict[str, None] = {}
    for number, family in enumerate(families):
        faces |= dict.fromkeys(_faces(book, family, style, exact=number == 0, within=()))
    if len(faces) == 1 and not isinstance(only := next(iter(faces)), OwnFace):
        return only
    fill_in = fonts.choose(fonts.SANS, italic=style.italic, bold=style.weight >= _BOLD, condensed=False)
    return FaceChain(list(dict.fromkeys([*list(faces)[:_MAX_CHAIN], fill_in or fonts.SANS])), book.language)


def _role_faults(book: FontBook, role: FontRole) -> Iterator[RoleFault]:
    """Yield what is wrong with a role: its files, its axes and its fallbacks."""
    try:
        files = book.files(role.name)
    except FontFault as fault:
        yield RoleFault(fault.problem, fault.file)
        return
    for number, file in enumerate(files):
        yield from (RoleFault(problem, file.file) for problem in _misplaced_axes(file, role))
        same = next((each for each in files[:number] if _stands_in(each, file)), None)
        if same:
            yield RoleFault(_never_used(file, same), file.file)
    for family in role.fallback:
        try:
            _faces(book, family, FontStyle(), exact=False, within=(role.name,))
        except FontFault as fault:
            yield RoleFault(fault.problem, fault.file)
        except UnknownFontError as error:
            problem = Diagnostic("L007", f"`fallback` of `{role.name}`: {error.said}", error.hint)
            yield RoleFault(problem, fallback=family)


def _faces(book: FontBook, family: str, style: FontStyle, *, exact: bool, within: tuple[str, ...]) -> list[str]:
    """Return the faces for a family: that of the style, then those of its fallbacks.

    `exact` refuses what only comes near. `within` are the roles whose fallbacks are being followed.
    """
    if family in within:
        way = listed((*within[within.index(family) :], family), "then")
        raise FontFault(
            Diagnostic("L007", f"roles fall back on each other in a circle: {way}", "leave one of them out")
        )
    role, files = book.role(family), book.files(family)
    if not files:
        bundled = _bundled(family, style, exact=exact)
        if bundled is None:
            raise _no_such(book, family)
        return [bundled]
    lacks_italics = role is not None and role.italics_may_lack and all(_slope_off(file, style) for file in files)
    asked = replace(style, italic=False) if lacks_italics else style
    called, instead = f"`{family}`", "use another font"
    if role is not None and role.italics_may_lack:
        called += f" in `{book.language}`"
        instead = f'take it from `languages` and write `font-family="{family}, {files[0].family}"` in templates'
    nearest = _nearest(files, asked)
    if exact:
        _check_near(nearest, called, asked, instead)
    found: list[str] = [_own(nearest, role, asked)]
    for further in role.fallback if role else ():
        found += _faces(book, further, style, exact=False, within=(*within, family))
    return found


def _bundled(family: str, style: FontStyle, *, exact: bool) -> str | None:
    condensed = style.stretch <= _CONDENSED
    tries = (
        [(style.italic, style.weight >= _BOLD)] if exact else [(style.italic, style.weight >= _BOLD), (False, False)]
    )
    names = (fonts.choose(family, italic=italic, bold=bold, condensed=condensed) for italic, bold in tries)
    return next((name for name in names if name), None)


def _no_such(book: FontBook, family: str) -> UnknownFontError:
    known = [*book.names(), *fonts.NAMES]
    near = did_you_mean(family, known) or f"there are {listed([*book.names()[:_MAX_LISTED], fonts.SANS], 'and')}"
    return UnknownFontError(f"there is no font `{family}`", near)


def _nearest(files: tuple[FontFile, ...], style: FontStyle) -> FontFile:
    """Return the file that comes closest to a style."""
    return min(files, key=lambda file: (_width_off(file, style), _slope_off(file, style), *_weight_off(file, style)))


def _check_near(file: FontFile, called: str, style: FontStyle, instead: str) -> None:
    """Raise UnknownFontError if a file is far from a style, with what to do instead of adding a file."""
    least, most = _range(file, "wdth", file.stretch)
    # What a style asks for, and whether the file lacks it: a bold and an italic face are no bold italic one.
    asked = {
        "condensed": (style.stretch <= _CONDENSED, least > _CONDENSED),
        "expanded": (style.stretch >= _EXPANDED, most < _EXPANDED),
        "bold": (style.weight >= _BOLD, _range(file, "wght", file.weight)[1] < _BOLD),
        "italic": (style.italic, bool(_slope_off(file, style))),
    }
    if any(wanted and lacking for wanted, lacking in asked.values()):
        face = " ".join(word for word, (wanted, _) in asked.items() if wanted)
        raise UnknownFontError(f"the font {called} has no {face} face: add its file, or {instead}")


def _range(file: FontFile, tag: str, own: float) -> tuple[float, float]:
    """Return the least and the greatest value that a font has on an axis; its own one if it does not vary on it."""
    axis = next((axis for axis in file.axes if axis.tag == tag), None)
    return (axis.least, axis.most) if axis else (own, own)


def _off(value: float, least: float, most: float) -> float:
    return max(least - value, value - most, 0.0)


def _width_off(file: FontFile, style: FontStyle) -> tuple[float, bool]:
    """Return how far the width is off; of two as far, the narrower for narrow texts, else the wider one."""
    least, most = _range(file, "wdth", file.stretch)
    return _off(style.stretch, least, most), (most < style.stretch) is (style.stretch > 100)


def _slope_off(file: FontFile, style: FontStyle) -> bool:
    leans = file.italic or any(axis.tag in ("ital", "slnt") for axis in file.axes)
    return not leans if style.italic else file.italic


def _weight_off(file: FontFile, style: FontStyle) -> tuple[int, float]:
    """Return the order of preference among weights (CSS Fonts 4, 5.2): 400 and 500 stand in for each other first."""
    wanted = style.weight
    least, most = _range(file, "wght", file.weight)
    off = _off(wanted, least, most)
    if not off:
        return 0, 0.0
    heavier = least > wanted
    if 400 <= wanted <= 500:
        return (1, off) if heavier and least <= 500 else (2 + heavier, off)
    return 1 + (heavier if wanted < 400 else not heavier), off


def _stands_in(first: FontFile, file: FontFile) -> bool:
    """Return whether an earlier file of a role comes as close as this one to every style."""
    weights = _range(first, "wght", first.weight), _range(file, "wght", file.weight)
    widths = _range(first, "wdth", first.stretch), _range(file, "wdth", file.stretch)
    holds = all(least <= inner[0] and inner[1] <= most for (least, most), inner in (weights, widths))
    return holds and not any(_slope_off(first, style) and not _slope_off(file, style) for style in _SLOPES)


_SLOPES = (FontStyle(), FontStyle(italic=True))


def _never_used(file: FontFile, same: FontFile) -> Diagnostic:
    """Say that a file of a role has the face of an earlier one."""
    weights = dict.fromkeys(f"{each:g}" for each in _range(file, "wght", file.weight))
    widths = dict.fromkeys(f"{each:g}" for each in _range(file, "wdth", file.stretch))
    width = "" if [*widths] == ["100"] else f", {' to '.join(widths)}% wide"
    face = f"weight {' to '.join(weights)}{width}, {'italic' if file.italic else 'upright'}"
    message = f"the font `{file.name}` is never used: `{same.name}` is the same face of the role ({face})"
    hint = "remove one of the two, or get the file of the face that is meant"
    if file.family != same.family:
        hint = "give it a role of its own; for what the other lacks, name that role as `fallback`"
    return Diagnostic("L011", message, hint, Severity.WARNING)


def _own(file: FontFile, role: FontRole | None, style: FontStyle) -> OwnFace:
    problem = next(_misplaced_axes(file, role), None) if role else None
    if problem:
        raise FontFault(problem, file.file)
    title = f"{file.family} {file.style}".strip() if not file.axes else file.family
    return OwnFace(title, file.file, file.digest, _location(file, role, style))


def _location(file: FontFile, role: FontRole | None, style: FontStyle) -> Location:
    """Return where in a variable font the style stands: what the role says, then what the style asks for."""
    if not file.axes:
        return ()
    asked = {"wght": style.weight, "wdth": style.stretch}
    if style.italic:
        asked |= {"ital": 1.0, "slnt": _SLANTED}
    if role and role.instance:
        places = dict(file.instances)
        asked |= dict(zip((axis.tag for axis in file.axes), places[role.instance], strict=False))
    asked |= dict(role.axes) if role else {}
    return tuple(
        sorted((axis.tag, min(max(asked.get(axis.tag, axis.usual), axis.least), axis.most)) for axis in file.axes)
    )


def _misplaced_axes(file: FontFile, role: FontRole) -> Iterator[Diagnostic]:
    """Yield what a role says of axes or an instance that its font does not have."""
    if (role.axes or role.instance) and not file.axes:
        hint = "leave out `axes` and `instance`, or name a variable font"
        yield Diagnostic("L007", f"the font `{file.name}` is not variable", hint)
        return
    axes = {axis.tag: axis for axis in file.axes}
    for tag, value in role.axes:
        if tag not in axes:
            hint = did_you_mean(tag, list(axes)) or f"it has {listed(tuple(map(_described, file.axes)), 'and')}"
            yield Diagnostic("L007", f"the font `{file.name}` has no axis `{tag}`", hint)
        elif not axes[tag].least <= value <= axes[tag].most:
            least, most = axes[tag].least, axes[tag].most
            yield Diagnostic("L007", f"`{tag}` of the font `{file.name}` is from {least:g} to {most:g}, not {value:g}")
    names = tuple(name for name, _ in file.instances)
    if role.instance and role.instance not in names:
        hint = did_you_mean(role.instance, names) or (f"it has {listed(names, 'and')}" if names else "give `axes`")
        yield Diagnostic("L007", f"the font `{file.name}` has no instance `{role.instance}`", hint)


def _described(axis: Axis) -> str:
    return f"{axis.tag} from {axis.least:g} to {axis.most:g}"
