"""The fonts that a set and its game bring along, by the names that templates call them: roles and families.

No file is looked at before a template, or a character that no bundled face has, asks for one. So this module imports
what reads fonts only then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from render.base.findings import Diagnostic
from render.base.limits import FONT_FILES
from render.text.font_files.font_face import FontFault
from render.text.font_roles import FontRole, FontStyle

if TYPE_CHECKING:
    from render.text.font_chains import RoleFault
    from render.text.font_files.font_reading import FontFile

FONT_FOLDER = "fonts"
"""The folder of a set or a game in which fonts are found by their family."""

ENDINGS = (".ttf", ".otf")
"""The endings of font files. Files with other endings count only where they are named."""


class FontBook:
    """Finds fonts by role or family: the files that roles name, and those in `fonts` of each folder.

    The folders are the set's and its game's; what an earlier one has wins. Each file is read once.
    """

    def __init__(self, folders: Sequence[Path] = (), roles: Sequence[FontRole] = ()) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._roles = {role.name: role for role in roles}
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
            from render.text import font_chains

            self._chains[key] = font_chains.chain(self, key[0], style)
        return self._chains[key]

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
        from render.text import font_chains

        for role in self._roles.values():
            for fault in font_chains.role_faults(self, role):
                yield role, fault

    def has(self, char: str) -> bool:
        """Return whether any font of the roles and folders has a character; broken files have none."""
        from render.text import font_chains

        return font_chains.has(self, char)

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
