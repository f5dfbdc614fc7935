"""Templates as files: found in the folders of a set and of its game, then among those of the program, and filled in.

Built-in templates are trusted, and filled in here. As soon as one of a set's own takes part, a worker does it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from render.base.files import permission_hint
from render.base.findings import MAX_ALIKE, Diagnostic, Refused, Span, nearest_word, quoted, reason
from render.base.limits import TEMPLATE, TO_FILL_IN
from render.base.reach import describe_escape, link_target, open_regular, read_bounded, real_path
from render.base.resources import TEMPLATES, is_ours
from render.layout.templates import Source, source_of
from render.text.font_book import NO_FONTS, FontBook

if TYPE_CHECKING:  # Jinja2 is loaded once a template is filled in
    from jinja2 import TemplateNotFound

    from render.layout.templates.environment import Sandbox
    from render.layout.templates.filling import Stopped


class Template(Struct, frozen=True):
    """A template that was found: `name` as asked for, and its file."""

    name: str
    file: Path
    templates: Templates

    @property
    def is_ours(self) -> bool:
        """Whether all it gave came from built-in templates: no card has used one of the set's own so far."""
        return not self.templates.gave_own

    @property
    def fonts(self) -> FontBook:
        return self.templates.fonts

    @property
    def source(self) -> Source:
        return self.templates.source(f"{self.name}.svg")


class Templates:
    """Finds templates in the folders of a set, then in `ours`; the first that has one wins. Their texts see `fonts`,
    and `layers`, by the name of an element, are shown or left out.

    Below `templates` of the program, those of each game can be had as `kotc/NAME.svg`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        ours: Sequence[Path] = (TEMPLATES,),
        fonts: FontBook = NO_FONTS,
        layers: Mapping[str, bool] = MappingProxyType({}),
    ) -> None:
        self.layers = layers
        self.fonts = fonts or NO_FONTS  # so that all sets without fonts share what is cached by style
        self._own, self._folders = folders, [*folders, *ours]
        self.parts: dict[object, Any] = {}  # what templates show as parts of their faces, such as icons, filled in
        self.gave_own = False  # whether it has given a template of the set's own
        self.look_alikes: dict[Path, str] = {}  # files so far that are no templates by the case of their letters alone
        self.sources: dict[str, Source] = {}  # those that were read so far
        self._names_in: dict[Path, dict[str, str]] = {}
        self.asked_for: dict[str, set[str]] = {}  # templates that each has included, extended or imported so far
        self._needed: dict[str, Sequence[str] | None] = {}  # digests and files of what workers have asked for
        self._of_workers: set[str] = set()  # names of templates that workers fill in
        self._late: dict[str, list[Stopped]] = {}
        self._ahead: dict[int, tuple[Mapping[str, object], str]] = {}
        self._missed = 0
        self.marked: Templates | None = None  # with marks, which find places, once a mistake was found

    # --- finding -----

    def get(self, name: str) -> Template:
        """Return the template called `name`; Refused if there is none or it is not valid Jinja2."""
        try:
            source = self.source(f"{name}.svg")
        except LookupError as error:
            raise Refused([self._not_found(error)]) from None
        except (UnicodeDecodeError, OSError) as error:
            said = getattr(error, "strerror", None) or reason(error)
            hint = permission_hint(error, Path(getattr(error, "filename", None) or ""))
            raise Refused(
                [Diagnostic("T001", f"the template `{name}` cannot be read: {said.lower()}", hint).at()]
            ) from None
        return Template(name, Path(source.file), self)

    def source(self, name: str) -> Source:
        """Return the source of a template, such as `frame.svg`, which was read; TemplateNotFound, Refused, OSError."""
        if name not in self.sources:
            source = self.found(name)
            if not is_ours(source.file):
                self.gave_own = True
                from render.layout.templates.syntax import check

                check(source, [*self.sources], self.found)
            self.sources[name] = source
        return self.sources[name]

    def found(self, name: str) -> Source:
        """Return the text and the file of a template, as it is; TemplateNotFound, Refused, OSError."""
        way = [part for part in name.split("/") if part not in ("", ".")]
        if any(part == os.pardir or os.sep in part for part in way):
            raise _lost(name)
        for folder in self._folders:
            file = folder.joinpath(*way)
            is_own = folder in self._own
            if template_exists(file):
                path = self._real(file, name) if is_own else Path(os.path.realpath(file))
                if is_own:
                    self._note_look_alikes(way, folder)
                return source_of(_text(file, name, path), str(file))
            if is_own and os.path.islink(file):  # noqa: PTH114 - Path.is_symlink raises of a name that is too long
                message = f"the template `{name}` is a link to `{link_target(file)}`, which is no file"
                hint = "remove it, or put the template in its place"
                raise Refused([Diagnostic("T001", message, hint).at(Span(file=file))])
        self._note_look_alikes(way)
        raise _lost(name)

    def names(self) -> list[str]:
        """Return the names of all templates that there are, without `.svg`, sorted."""
        from jinja2 import FileSystemLoader

        found = FileSystemLoader(self._folders).list_templates()
        return [name.removesuffix(".svg") for name in found if name.endswith(".svg")]

    def files(self, name: str) -> list[Path]:
        """Return the files that decided what a template gave so far: its own and those of all templates it asked for.

        Places where a template of the same name would take precedence are among them, so that a new one is noticed.
        """
        found = list[Path]()
        for each in sorted(self.reached(f"{name}.svg")):
            files = [folder / each for folder in self._folders]
            first = next((number for number, file in enumerate(files, 1) if template_exists(file)), len(files))
            found += files[:first]
        return found

    def reached(self, name: str) -> set[str]:
        """Return a template, such as `card.svg`, with all that it has asked for so far, and these for others."""
        names, queue = set[str](), [name]
        while queue:
            names.add(asking := queue.pop())
            queue += self.asked_for.get(asking, set()) - names
        return names

    def looked_for(self, name: str) -> list[str]:
        """Return the files of the set and of its game that a template may be, as messages name them."""
        return [str(folder / f"{name}.svg") for folder in self._own]

    def has_own(self, name: str) -> bool:
        """Whether a template is one of the set's own, so that a worker will fill it in."""
        return any(os.path.exists(file) for file in self.looked_for(name))  # noqa: PTH110 - a name may be too long

    def note_asked(self, name: str, asking: str) -> None:
        """Note that a template asked for another."""
        self.asked_for.setdefault(asking, set()).add(name)

    def _not_found(self, error: LookupError) -> Diagnostic:
        """Return a finding about a missing template; after many, without a hint, which takes time."""
        self._missed += 1
        lost = getattr(error, "name", None) or ""
        name = lost.removesuffix(".svg")
        near, hint = nearest_word(name, self.names()) if self._missed <= MAX_ALIKE else "", ""
        for file, wanted in self.look_alikes.items():
            if wanted == lost:
                near, hint = "", f"rename `{file.name}` to `{wanted}`: upper and lower case differ"
        hint = hint or (f"did you mean `{near}`?" if near else "")
        return Diagnostic("T001", f"there is no template {quoted(name)}", hint, instead=near).at(None)

    def _note_look_alikes(self, way: Sequence[str], last: Path | None = None) -> None:
        """Note files that differ from a template's name in case only, in the folders up to `last`.

        Those of built-in templates are found when a set is read.
        """
        if any(template_exists(folder.joinpath(*way)) for folder in self._folders if folder not in self._own):
            return
        for folder in self._own:
            file = folder.joinpath(*way)
            # On some systems it is read all the same; the set would not look alike on the others.
            if (other := self._names(file.parent).get(file.name.casefold(), file.name)) != file.name:
                self.look_alikes[file.with_name(other)] = file.name
            if folder == last:
                return

    def _names(self, folder: Path) -> dict[str, str]:
        """Return the names of a folder by their letters without case; of two alike, that in small letters."""
        if folder not in self._names_in:
            try:
                names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone
            except OSError:
                names = []
            self._names_in[folder] = {name.casefold(): name for name in names}
        return self._names_in[folder]

    def _real(self, file: Path, template: str) -> Path:
        # Links may lead about in the folder of the set, or of the game, in which the file is.
        home = min((each for each in self._own if file.is_relative_to(each)), key=lambda each: len(each.parts))
        found = real_path(file, home)
        if found is None:
            message = f"the template `{template}` {describe_escape(file, 'the set')}"
            raise Refused([Diagnostic("T012", message, "copy the template into the set").at(Span(file=file))])
        return found

    # --- filling in -----

    def filled(self, name: str, values: Mapping[str, object]) -> str:
        """Return what a template gives for the values of a face; Stopped, Refused."""
        source = self.source(name)
        if not any(sign in source.text for sign in ("{{", "{%", "{#")):
            return source.text
        from render.layout.templates.filling import STOPS, Stopped, encoded, why_stopped

        if name not in self._of_workers and is_ours(source.file):
            try:
                return self._sandbox.render(name, values)
            except _ForeignTemplate:
                pass  # it asks for one of the set's own
            except STOPS as error:
                raise why_stopped(error) from None
        from render.base.guard import TooMuchError

        self._of_workers.add(name)
        late = self._late.setdefault(name, [])
        if len(late) >= _MAX_LATE:
            raise Stopped("skipped", "", late[-1].ran)
        values_ahead, svg = self._ahead.pop(id(values), (None, ""))
        if values_ahead is values:
            return svg
        try:
            (given,) = self._given([(name, encoded(values))])
        except TooMuchError as error:
            given = [error.what, ""]
        if isinstance(given, bytes):
            return given.decode("utf-8", "surrogatepass")
        stopped = Stopped(*given)
        if stopped.kind in ("time", "memory"):
            late.append(stopped)
        raise stopped

    def fill_ahead(self, faces: Sequence[tuple[str, Mapping[str, object]]]) -> None:
        """Have a worker fill in several faces at once, each with its template's name: `filled` then knows their SVG.

        The same values must be given to it. What goes wrong is found when a face is filled in by itself.
        """
        self._ahead.clear()
        own = [(f"{name}.svg", values) for name, values in faces if self.has_own(name) and not self._late.get(name)]
        if len(own) < 2:
            return
        from render.base.guard import TooMuchError, WorkFailedError
        from render.layout.templates.filling import STOPS, encoded

        try:
            given = self._given([(name, encoded(values)) for name, values in own])
        except (TooMuchError, WorkFailedError, *STOPS, Refused, OSError):
            return
        for (_, values), svg in zip(own, given, strict=False):
            if isinstance(svg, bytes):
                self._ahead[id(values)] = values, svg.decode("utf-8", "surrogatepass")

    def _given(self, faces: Sequence[tuple[str, Any]]) -> Sequence[Any]:
        """Return the SVG, or a Stopped, that a worker gives for each face; those behind one that stops may miss."""
        from render.base import guard
        from render.layout.templates.filling import fill_in

        texts = dict[str, str]()
        while True:
            given, asked = guard.run(fill_in, self._needed, texts, faces, TO_FILL_IN.seconds, limits=TO_FILL_IN)
            if given is not None:
                for asking, names in asked.items():
                    self.asked_for.setdefault(asking, set()).update(names)
                return given  # type: ignore[no-any-return] # a list
            try:
                source = self.source(asked)
                texts[source.digest], self._needed[asked] = source.text, source[1:]
            except LookupError:
                self._needed[asked] = None

    @cached_property
    def _sandbox(self) -> Sandbox:
        from jinja2 import FunctionLoader

        from render.layout.templates.environment import Sandbox

        sandbox = Sandbox(FunctionLoader(self._built_in))
        sandbox.asked_for = self.asked_for
        return sandbox

    def _built_in(self, name: str) -> tuple[str, str, None]:
        """Return text and file of a template of the program itself, in Jinja2's form."""
        source = self.source(name)
        if not is_ours(source.file):
            raise _ForeignTemplate
        return source.text, source.file, None


def _lost(name: str) -> TemplateNotFound:
    """Return the error that there is no such template, which is a LookupError."""
    from jinja2 import TemplateNotFound

    return TemplateNotFound(name)


class _ForeignTemplate(Exception):
    """A built-in template asks for one that is not."""


_MAX_LATE = 2  # faces of a template that take too much: then it is not tried for other cards


def part_template(template: Template, name: str) -> Template:
    """Return a template that another one shows as a part of its face; Refused if there is none."""
    templates = template.templates
    templates.note_asked(name, f"{template.name}.svg")
    try:
        source = templates.source(name)
    except LookupError:
        raise Refused([Diagnostic("T001", f"there is no file {quoted(name)}").at()]) from None
    except UnicodeDecodeError:
        hint = "save it as SVG, with a program for drawings"
        raise Refused([Diagnostic("T002", f"`{name}` is no SVG, whatever its name says", hint).at()]) from None
    except OSError as error:
        raise Refused([Diagnostic("T002", f"`{name}` cannot be read: {reason(error)}").at()]) from None
    return Template(name.removesuffix(".svg"), Path(source.file), templates)


def template_exists(file: Path) -> bool:
    """Return whether the file exists; a name too long for the disk does not. OSError if it cannot be known."""
    try:
        return file.is_file()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise


def _text(file: Path, template: str, path: Path) -> str:
    data = read_bounded(path, TEMPLATE.most, Path(path.anchor))
    if data is not None:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    said, hint = (
        f"has more than {TEMPLATE}",
        "save its pictures as files of their own, and name them in `<image>`",
    )
    try:
        os.close(open_regular(file))
    except OSError as error:
        said, hint = f"cannot be read: {(error.strerror or str(error)).lower()}", permission_hint(error, file)
    raise Refused([Diagnostic("T001", f"the template `{template}` {said}", hint).at(Span(file=file))])
