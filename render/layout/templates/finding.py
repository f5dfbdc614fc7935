"""Finding the files of templates, for Jinja2: in a set's folders, from which no link may lead away, and among ours."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import jinja2
from jinja2.loaders import split_template_path

from render.base.findings import Problem, Refused, Span
from render.base.reach import content, led_out, real, target

_LARGEST = 4 << 20  # bytes: the official frame is a thousandth of it


def is_there(file: Path) -> bool:
    """Whether there is such a file; none has a name that is too long for the disk. OSError if nobody can know."""
    try:
        return file.is_file()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise


class TemplateFiles(jinja2.FileSystemLoader):
    """Looks for a template in folders, the first that has one wins; the last of the set's own is that of the set.

    Refused says what is wrong with a file that is there, wherever a template asks for it.
    """

    def __init__(self, own: Sequence[Path], ours: Sequence[Path]) -> None:
        super().__init__([*own, *ours])
        self._own, self._ours = own, ours
        self.gave_own = False  # whether it gave a template of the set's own

    def get_source(self, _: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the text of a template and its file, as Jinja2 wants them."""
        way = split_template_path(template)
        for folder in self._own:
            file = folder.joinpath(*way)
            if is_there(file):
                self.gave_own = True
                return _text(file, template, self._real(file, template)), str(file), lambda: True
            if os.path.islink(file):  # noqa: PTH114 - Path.is_symlink raises of a name that is too long
                message = f"the template `{template}` is a link to `{target(file)}`, which is no file"
                raise Refused([Problem("T001", message, "remove it, or put the template in its place").at(Span(file))])
        for folder in self._ours:
            file = folder.joinpath(*way)
            if is_there(file):
                return _text(file, template, Path(os.path.realpath(file))), str(file), lambda: True
        raise jinja2.TemplateNotFound(template)

    def _real(self, file: Path, template: str) -> Path:
        found = real(file, self._own[-1])
        if found is None:
            message = f"the template `{template}` {led_out(file, 'the set')}"
            raise Refused([Problem("T012", message, "copy the template into the set").at(Span(file))])
        return found


def _text(file: Path, template: str, path: Path) -> str:
    data = content(path, _LARGEST, Path(path.anchor))
    if data is None:
        message = f"the template `{template}` cannot be read, or has more than {_LARGEST >> 20} MiB"
        raise Refused([Problem("T001", message).at(Span(file))])
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
