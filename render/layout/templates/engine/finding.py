"""Find template files for Jinja2: in a set's folders, which no link may lead out of, and among the built-in ones."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import jinja2
from jinja2.loaders import split_template_path

from render.base.files import permission_hint
from render.base.findings import Problem, Refused, Span
from render.base.reach import describe_escape, link_target, open_regular, read_bounded, real_path

_LARGEST = 4 << 20  # bytes: a thousand times the official frame


def template_exists(file: Path) -> bool:
    """Return whether the file exists; a name too long for the disk does not. OSError if it cannot be known."""
    try:
        return file.is_file()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise


class TemplateFiles(jinja2.FileSystemLoader):
    """Looks for a template in folders; the first that has it wins. `own` are those of the set, then those of its game.

    Refused says what is wrong with an existing file, whichever template asks for it.
    """

    def __init__(self, own: Sequence[Path], ours: Sequence[Path]) -> None:
        super().__init__([*own, *ours])
        self._own, self._ours = own, ours
        self.gave_own = False  # whether it has returned a template of the set's own
        self.look_alikes: dict[Path, str] = {}  # files that are not read, by the name that was looked for
        self._names: dict[Path, dict[str, str]] = {}

    def get_source(self, _: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return text and file of a template in Jinja2's form; the third value says that it is never outdated."""
        way = split_template_path(template)
        for folder in self._own:
            file = folder.joinpath(*way)
            if template_exists(file):
                self.gave_own = True
                self._note_look_alikes(way, folder)
                return _text(file, template, self._real(file, template)), str(file), lambda: True
            if os.path.islink(file):  # noqa: PTH114 - Path.is_symlink raises of a name that is too long
                message = f"the template `{template}` is a link to `{link_target(file)}`, which is no file"
                raise Refused(
                    [Problem("T001", message, "remove it, or put the template in its place").at(Span(file=file))]
                )
        for folder in self._ours:
            file = folder.joinpath(*way)
            if template_exists(file):
                return _text(file, template, Path(os.path.realpath(file))), str(file), lambda: True
        self._note_look_alikes(way)
        raise jinja2.TemplateNotFound(template)

    def _note_look_alikes(self, way: Sequence[str], last: Path | None = None) -> None:
        """Note files that differ from a template's name in case only, in the folders up to `last`.

        Those of built-in templates are found when a set is read.
        """
        if any(template_exists(folder.joinpath(*way)) for folder in self._ours):
            return
        for folder in self._own:
            file = folder.joinpath(*way)
            # On some systems it is read all the same; the set would not look alike on the others.
            if (other := self._names_in(file.parent).get(file.name.casefold(), file.name)) != file.name:
                self.look_alikes[file.with_name(other)] = file.name
            if folder == last:
                return

    def _names_in(self, folder: Path) -> dict[str, str]:
        """Return the names of a folder by their letters without case; of two alike, that in small letters."""
        if folder not in self._names:
            try:
                names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone
            except OSError:
                names = []
            self._names[folder] = {name.casefold(): name for name in names}
        return self._names[folder]

    def _real(self, file: Path, template: str) -> Path:
        # Links may lead about in the folder of the set, or of the game, in which the file is.
        home = min((each for each in self._own if file.is_relative_to(each)), key=lambda each: len(each.parts))
        found = real_path(file, home)
        if found is None:
            message = f"the template `{template}` {describe_escape(file, 'the set')}"
            raise Refused([Problem("T012", message, "copy the template into the set").at(Span(file=file))])
        return found


def _text(file: Path, template: str, path: Path) -> str:
    data = read_bounded(path, _LARGEST, Path(path.anchor))
    if data is None:
        raise Refused([_unread(file, template).at(Span(file=file))])
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _unread(file: Path, template: str) -> Problem:
    """Return why the text of a template cannot be had."""
    try:
        os.close(open_regular(file))
    except OSError as error:
        message = f"the template `{template}` cannot be read: {(error.strerror or str(error)).lower()}"
        return Problem("T001", message, permission_hint(error, file))
    message = f"the template `{template}` has more than {_LARGEST >> 20} MiB"
    return Problem("T001", message, "save its pictures as files of their own, and name them in `<image>`")
