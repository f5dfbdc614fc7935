"""Templates as files: found in the folders of a set, compiled once, with their fonts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2

from render.base.files import permission_hint
from render.base.findings import MAX_ALIKE, Finding, Problem, Refused, did_you_mean, nearest_word, quoted, reason
from render.base.resources import TEMPLATES, is_ours
from render.layout.templates.engine import budget
from render.layout.templates.engine.budget import Limits
from render.layout.templates.engine.compiled import KeptCode
from render.layout.templates.engine.counting import REVISION
from render.layout.templates.engine.finding import TemplateFiles, template_exists
from render.layout.templates.engine.sandbox import OPTIONS, Sandbox
from render.layout.templates.mistakes.wording import STOPS, reason_of_stop, syntax_mistake
from render.text.font_book import NO_FONTS, FontBook


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: `name` as asked for, and its file."""

    name: str
    file: Path
    compiled: jinja2.Template
    environment: Sandbox
    fonts: FontBook = NO_FONTS

    @property
    def is_ours(self) -> bool:
        """Whether all it gave came from built-in templates: no card has used one of the set's own so far."""
        return isinstance(files := self.environment.loader, TemplateFiles) and not files.gave_own

    @property
    def made_of(self) -> tuple[str, str] | None:
        """What the code of a built-in template is made of, as a key; None for other templates."""
        kept = self.environment.bytecode_cache
        if not isinstance(kept, KeptCode) or not is_ours(self.compiled.filename):
            return None
        return kept.made_of.get(f"{self.name}.svg")

    @property
    def asked_for_others(self) -> bool:
        """Whether it has included, extended or imported another one so far."""
        return bool(self.environment.asked_for.get(f"{self.name}.svg"))


class Templates:
    """Finds templates in the folders of a set, then in `ours`; the first that has one wins. Their texts see `fonts`.

    Below `templates` of the program, those of each game can be had as `kotc/NAME.svg`.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        ours: Sequence[Path] = (TEMPLATES,),
        limits: Limits = budget.FACE,
        fonts: FontBook = NO_FONTS,
    ) -> None:
        self.fonts = fonts or NO_FONTS  # so that all sets without fonts share what is cached by style
        self._own, self._folders = folders, [*folders, *ours]
        loader = TemplateFiles(folders, ours)
        self.environment = Sandbox(limits, loader=loader, bytecode_cache=KeptCode(repr((OPTIONS, REVISION))))
        self._found: dict[str, Template] = {}
        self._known: tuple[str, ...] = ()
        self._missed = 0

    def get(self, name: str) -> Template:
        """Return the template called `name`; Refused if there is none or it is not valid Jinja2."""
        if name not in self._found:
            self._found[name] = self._load(name)
        return self._found[name]

    def files(self, name: str) -> list[Path]:
        """Return the files that decided what a template gave so far: its own and those of all templates it asked for.

        Places where a template of the same name would take precedence are among them, so that a new one is noticed.
        """
        names, queue = set[str](), [f"{name}.svg"]
        while queue:
            names.add(asking := queue.pop())
            queue += self.environment.asked_for.get(asking, set()) - names
        return [file for each in sorted(names) for file in self._looked_at(each)]

    def looked_for(self, name: str) -> list[str]:
        """Return the files of the set and of its game that a template may be, as messages name them."""
        return [str(folder / f"{name}.svg") for folder in self._own]

    @property
    def look_alikes(self) -> Mapping[Path, str]:
        """The files so far that are no templates by the case of their letters alone, by the name looked for."""
        return loader.look_alikes if isinstance(loader := self.environment.loader, TemplateFiles) else {}

    def _looked_at(self, name: str) -> Iterator[Path]:
        for folder in self._folders:
            yield folder / name
            if template_exists(folder / name):
                return

    def _load(self, name: str) -> Template:
        try:
            compiled = self.environment.get_template(f"{name}.svg")
        except jinja2.TemplateSyntaxError as error:
            raise Refused([syntax_mistake(error, self.environment)]) from None
        except jinja2.TemplateNotFound as error:
            raise Refused([self._not_found(error)]) from None
        except (UnicodeDecodeError, OSError) as error:
            said = getattr(error, "strerror", None) or reason(error)
            hint = permission_hint(error, Path(getattr(error, "filename", None) or ""))
            raise Refused(
                [Problem("T001", f"the template `{name}` cannot be read: {said.lower()}", hint).at()]
            ) from None
        except STOPS as error:
            raise Refused(
                [Problem("T002", f"the template `{name}` cannot be understood: {reason_of_stop(error)}").at()]
            ) from None
        return Template(name, Path(compiled.filename or name), compiled, self.environment, self.fonts)

    def _not_found(self, error: jinja2.TemplateNotFound) -> Finding:
        """Return a finding about a missing template; after many, without a hint, which takes time."""
        self._missed += 1
        if self._missed == 1:
            known = self.environment.list_templates(extensions=["svg"])
            self._known = tuple(name.removesuffix(".svg") for name in known)
        name = (error.name or "").removesuffix(".svg")
        alike = next((file for file, wanted in self.look_alikes.items() if wanted == error.name), None)
        if alike is not None:
            hint = f"rename `{alike.name}` to `{error.name}`: upper and lower case differ"
            return Problem("T001", f"there is no template {quoted(name)}", hint, instead="").at(None)
        near = nearest_word(name, self._known) if self._missed <= MAX_ALIKE else ""
        hint = did_you_mean(name, self._known) if near else ""
        return Problem("T001", f"there is no template {quoted(name)}", hint, instead=near).at(None)


def part_template(template: Template, name: str) -> Template:
    """Return a template that another one shows as a part of its face; Refused if there is none."""
    environment = template.environment
    try:
        compiled = environment.get_template(environment.join_path(name, f"{template.name}.svg"))
    except jinja2.TemplateSyntaxError as error:
        raise Refused([syntax_mistake(error, environment)]) from None
    except jinja2.TemplateNotFound:
        raise Refused([Problem("T001", f"there is no file {quoted(name)}").at()]) from None
    except UnicodeDecodeError:
        hint = "save it as SVG, with a program for drawings"
        raise Refused([Problem("T002", f"`{name}` is no SVG, whatever its name says", hint).at()]) from None
    except (*STOPS, OSError) as error:
        raise Refused([Problem("T002", f"`{name}` cannot be understood: {reason_of_stop(error)}").at()]) from None
    return replace(template, name=name.removesuffix(".svg"), file=Path(compiled.filename or name), compiled=compiled)
