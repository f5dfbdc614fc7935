"""What a game names: whether its files are there, what cuts they draw, which icons in its folders it does not name, and
where it says what cards do not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from render.base.findings import Diagnostic, Finding, Problem, Refused, Severity, Span, nearest_word, quoted
from render.base.geometry import Affine, Size
from render.base.reach import describe_escape, real_path
from render.game.cards import is_given
from render.game.declared.card_reading import in_expressions
from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.derived import held_values
from render.game.declared.reading.game_rules import IN_LANGUAGE, GameRules
from render.game.declared.reading.kind_keys import DeclaredKind
from render.game.derivations import Origin
from render.images.inspect import Artwork
from render.scene import items
from render.scene.outlines import move_outlines, path_data
from render.sheets.cut_shapes import cut_outline
from render.source.nodes import Mapping, Node, Sequence
from render.text.font_book import FontBook


def missing_files(rules: GameRules) -> Iterator[Diagnostic]:
    """Yield an error for each icon that is not there."""
    for icon in rules.icons:
        yield from _missing(rules, "icon", icon.file, ("icons", icon.name))


def with_cuts(rules: GameRules) -> tuple[GameRules, list[Finding]]:
    """Return a game with the paths in the files along which its kinds are cut, and what is wrong with these files."""
    findings: list[Finding] = []
    kinds = tuple(replace(kind, cut=_cut_of(rules, kind, findings)) if kind.cut_file else kind for kind in rules.kinds)
    return replace(rules, kinds=kinds), findings


def _cut_of(rules: GameRules, kind: DeclaredKind, findings: list[Finding]) -> str:
    """Return the first shape that the file of a cut draws, as a path in mm of the card; "" if it is no cut."""
    from render.layout.lay_out import lay_out_icon
    from render.layout.templates.template import Templates

    where = ("kinds", kind.value, "cut")
    missing = [*_missing(rules, "drawing", kind.cut_file, where)]
    if missing:
        findings += missing
        return ""
    assert isinstance(kind.size, Size)
    try:
        template = Templates([rules.folder], []).get(kind.cut_file.removesuffix(".svg"))
        drawn = lay_out_icon(template, {}, no_picture)
        shapes = [item for item in items.walk(drawn.items) if isinstance(item, items.Path)]
        if not shapes:
            raise ValueError("the file draws no shape")
        across, down = kind.size.width / drawn.size.width, kind.size.height / drawn.size.height
        cut = path_data(move_outlines(shapes[0].outlines, Affine.scale(across, down)))
        cut_outline(cut, kind.size)
    except Refused as refused:
        findings += refused.findings
    except ValueError as error:
        hint = "its first shape is what the cards are cut to, and its `viewBox` is the card"
        problem = Diagnostic("M033", f"{quoted(kind.cut_file)}: {error}", hint)
        findings.append(problem.at(place_of_file(rules, where, kind.cut_file), field=".".join(where)))
    else:
        return cut
    return ""


NOT_LOOKED_AT = "T009"


def no_picture(href: str) -> Artwork:
    """Refuse a picture in a drawing of the game, of which only the shapes are asked for."""
    message, hint = f"`{href}` is a picture, and only shapes are looked at", "take it out of the drawing"
    raise Refused([Problem(NOT_LOOKED_AT, message, hint).at()])


def wrong_fonts(rules: GameRules) -> Iterator[Diagnostic]:
    """Yield what is wrong with the fonts of a game and their files."""
    if not rules.fonts:
        return
    files = {rules.folder / file for role in rules.every_font for file in role.files}
    for role, fault in FontBook((rules.folder,), rules.every_font).check():
        name = next((name for name in role.files if rules.folder / name == fault.file), "")
        if not name and fault.file in files:
            continue  # a role with `fallback` looks at all files: the fault is reported where the file is named
        problem = fault.problem
        if problem.code == "L004" and name and not (rules.folder / name).exists():
            problem = replace(problem, hint=_near(rules.folder, name))
        named, _, language = role.name.partition(IN_LANGUAGE)
        below = ("languages", language) if language else ("fallback",) if fault.fallback else ()
        path = ("fonts", named, *below)
        yield problem.at(place_of_file(rules, path, fault.fallback or name), field=f"fonts.{named}")


def _missing(rules: GameRules, what: str, name: str, path: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Yield an error if the file of a drawing of the game, `what` it is, is not there, leads out of it, or is none."""
    file = rules.folder / name
    if file.is_file() and real_path(file, rules.folder):
        yield from _no_drawing(rules, what, name, path)
        return
    message, hint = f"there is no {what} {quoted(name)} in `{rules.folder}`", _near(rules.folder, name)
    if file.is_file():
        message = f"the {what} {quoted(name)} {describe_escape(file, 'the folder of the game')}"
        hint = "copy the file into the folder of the game"
    yield Diagnostic("M033", message, hint).at(place_of_file(rules, path, name), field=".".join(path))


# How pictures begin that are taken for drawings by their names.
_PICTURES = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"RIFF": "a WebP picture",
    b"%PDF": "a PDF",
}


def _no_drawing(rules: GameRules, what: str, name: str, path: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Yield an error if the file of a drawing is a picture with the name of a drawing."""
    try:
        with (rules.folder / name).open("rb") as stream:
            start = stream.read(4)
    except OSError:
        return  # told where it is drawn
    kind = next((kind for head, kind in _PICTURES.items() if start.startswith(head)), "")
    if kind:
        message = f"the {what} {quoted(name)} is {kind}, whatever its name says"
        problem = Diagnostic("M033", message, "save it as SVG, with a program for drawings")
        yield problem.at(place_of_file(rules, path, name), field=".".join(path))


def _near(folder: Path, name: str) -> str:
    """Return which file beside a missing one may be meant."""
    file = folder / name
    try:
        names = sorted(os.listdir(file.parent))  # noqa: PTH208 - as names
    except OSError:
        return f"there is no folder `{file.parent.name}`"
    near = nearest_word(file.name, names)
    return f"did you mean `{PurePosixPath(name).with_name(near)}`?" if near else "put it there, or change the path"


def place_of_file(rules: GameRules, path: tuple[str, ...], name: str) -> Span:
    """Return the place of a file's name; that of the whole value if several are named there."""
    node = rules.node(*path)
    span = rules.document.span(node or rules.document.root)
    start = rules.document.text.find(name, node.start, node.end) if node and name else -1
    return rules.document.between(start, start + len(name)) if start >= 0 else span


def place_of_template(rules: GameRules, kind: DeclaredKind, face: int) -> Span:
    """Return where a kind names the template of a side; the name of the kind if it names none."""
    faces = rules.node("kinds", kind.value, "faces")
    named = faces.items[face] if isinstance(faces, Sequence) and face < len(faces.items) else None
    return rules.document.span(named or rules.node("kinds", kind.value, "template") or _kind_name(rules, kind))


def place_of_back(rules: GameRules, kind: DeclaredKind) -> Span:
    """Return where a kind names its back; the name of the kind if it names none."""
    return rules.document.span(rules.node("kinds", kind.value, "back") or _kind_name(rules, kind))


def origin_in_game(rules: GameRules, card: DeclaredCard, name: str) -> Origin | None:
    """Return where the game gives a value that a card does not: by a formula, a default, or the kind of the card."""
    declared, path = rules.field_named(name), ("fields", name, "default")
    how = "the default of the game"
    if name in ("size", "cut"):
        path, how = ("kinds", card.kind.value, name), f"the kind `{card.kind.value}`"
    elif declared and declared.value:
        how = f"`{declared.value}`{held_values(declared.value, in_expressions(card))}"
        path = ("fields", name, "value")
    elif is_given(card, name):
        return None
    elif name == "id":
        return Origin(how=f"{quoted(rules.id_template)} in the game") if rules.id_template else None
    node = rules.node(*path) if declared is None or declared.value or name in card.kind.fields else None
    return Origin(how=how, place=rules.document.span(node)) if node else None


def _kind_name(rules: GameRules, kind: DeclaredKind) -> Node:
    kinds = rules.node("kinds")
    keys = [key for key, _ in kinds.entries if key.value == kind.value] if isinstance(kinds, Mapping) else []
    return keys[0] if keys else rules.document.root


def unnamed_icons(rules: GameRules) -> Iterator[Diagnostic]:
    """Yield a warning for each SVG file beside the game's icons that no icon names."""
    named = {os.path.realpath(rules.folder / icon.file) for icon in rules.icons}
    for folder in sorted({str(PurePosixPath(icon.file).parent) for icon in rules.icons} - {"."}):
        node = rules.node("icons")
        for file in sorted((rules.folder / folder).glob("*.svg")):
            if node and os.path.realpath(file) not in named:
                message = f"no icon is `{folder}/{file.name}`"
                hint = f"write `{file.stem}: {folder}/{file.name}` below `icons`, or remove the file"
                place = rules.document.span(node)
                yield Diagnostic("M034", message, hint, Severity.WARNING).at(place, field="icons")
