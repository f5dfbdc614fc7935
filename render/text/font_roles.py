"""What templates and games say of fonts: roles with their files, and the style that a text asks for."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class UnknownFontError(LookupError):
    """A template asks for a family, or for a style of it, that there is not; `hint` says what there is."""

    def __init__(self, said: str, hint: str = "") -> None:
        self.said, self.hint = said, hint
        super().__init__(f"{said}; {hint}" if hint else said)


class FontStyle(Struct, frozen=True):
    """What a text asks of a family: a weight of 1 to 1000, a width in per cent of the normal one, and whether italic.

    The numbers are those of CSS Fonts 4: 400 is normal, 700 bold; 75 is condensed.
    """

    weight: float = 400.0
    stretch: float = 100.0
    italic: bool = False


class FontRole(Struct, frozen=True):
    """Fonts that templates call by one name.

    `files` are paths in the set's or the game's folder, as written. `fallback` are roles and families that are asked,
    in this order, for characters that these files lack. `axes` are values of axes of a variable font, by their tags;
    `instance` is the name of one of its instances. `of_languages` are the files for texts in other languages. Where
    `italics_may_lack`, upright letters stand for them: many scripts have no others.
    """

    name: str
    files: tuple[str, ...]
    fallback: tuple[str, ...] = ()
    axes: tuple[tuple[str, float], ...] = ()
    instance: str = ""
    of_languages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    italics_may_lack: bool = False

    def in_language(self, language: str) -> tuple[FontRole, ...]:
        """Return the role for texts in a language: with files of its own, it falls back on its usual ones."""
        files = dict(self.of_languages).get(language)
        if not files:
            return (self,)
        usual = replace(self, name=f"{self.name} (usual)", of_languages=())
        fallback = (usual.name,) if self.files else self.fallback
        spoken = FontRole(name=self.name, files=files, fallback=fallback, italics_may_lack=True)
        return (spoken, usual) if self.files else (spoken,)
