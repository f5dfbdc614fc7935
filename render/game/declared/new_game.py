"""A game to begin with: one with two kinds and three cards, or one that fits a table of cards that somebody has already."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from msgspec import Struct

from render.base.findings import Refused, Severity, Span
from render.base.patterns import regex
from render.base.reach import real_path
from render.game import ids
from render.game.card_reading import CARD, MAX_COPIES
from render.game.cards import PICTURES
from render.game.declared.reading.field_keys import FieldType
from render.game.declared.reading.game_keys import COMMON, NAME, RESERVED
from render.game.folder import GAME_FILE, SET_FILE
from render.game.languages import LANGUAGE
from render.layout.rich_notation import Notation, read_rich
from render.source.fields import HIGHEST
from render.source.scalar_values import write_anywhere, write_words
from render.source.tables.cells import TableSheet, flaw_of, said_by_cell
from render.source.tables.reading import sheets_of

_TEXTS = Path(__file__).parent / "first_game"


def first_game(name: str, paper: str, table: Path | None = None) -> dict[str, bytes]:
    """Return the files of a set with a game of its own, by their names in its folder.

    With a table, they are for the cards in it, and it is one of them, with the pictures beside it that it names.
    ValueError if its rows cannot be cards. Refused if it cannot be read. OSError.
    """
    given = {"name": write_words(name), "paper": paper}
    files = [_TEXTS / name for name in (SET_FILE, GAME_FILE, "cards.yaml")] + sorted(_TEXTS.rglob("*.svg"))
    texts = {file.relative_to(_TEXTS).as_posix(): file.read_text(encoding="utf-8") for file in files}
    if table is None:
        return {file: _filled(file, text, given).encode() for file, text in texts.items()}
    columns = _columns(table)
    kinds = [*dict.fromkeys(each for column in columns if column.key == "kind" for each in column.values)] or ["card"]
    icons = _icons(columns)
    made = {
        SET_FILE: _filled(SET_FILE, texts[SET_FILE], given) + _tables(columns),
        GAME_FILE: _game(given["name"], columns, kinds, icons),
        "templates/frame.svg": _frame(columns),
        "templates/back.svg": texts["templates/back.svg"],
        **{f"templates/{kind}.svg": '{% extends "frame.svg" %}\n' for kind in kinds},
        **{file: texts["icons/number.svg"].replace("{{ value }}", words) for _, file, words in icons},
    }
    art = [name for column in columns if column.key == "art" for name in dict.fromkeys(column.values)]
    beside = [name for name in art if (table.parent / name).is_file() and real_path(table.parent / name, table.parent)]
    data = {name: (table.parent / name).read_bytes() for name in (table.name, *beside)}
    return {**{file: text.encode() for file, text in made.items()}, **data}


def _filled(file: str, text: str, given: Mapping[str, str]) -> str:
    return Template(text).substitute(given) if file.endswith(".yaml") else text


# --- what the columns of a table are --------------------------------------------------------------------------------


class _Column(Struct, frozen=True):
    """A column by its heading: the key of cards that it becomes, the type of that field, and what its cells say.

    `type` is None for a key that every card has. `doubt` is why it is no other type.
    """

    heading: str
    key: str
    type: FieldType | None
    values: tuple[str, ...]
    doubt: str = ""

    @property
    def label(self) -> str:
        """The heading as words of a template."""
        return escape(re.sub(r"[{}#%]", "", self.heading))


_MEANT = {
    key: (key, *(word.replace("_", " ") for word, keys in CARD.synonyms.items() if key in keys))
    for key in ("name", "copies", "art")
}
"""The headings that may be meant for keys of every card."""

_ICON = regex(r"\{([^{}\s]{1,20})\}")
_MAX_CHOICES, _LONGEST_CHOICE = 12, 30  # words, characters: more, or longer ones, are texts of their authors
_LONGEST_LINE = 60  # characters: what is longer is a text of several lines


def _columns(table: Path) -> list[_Column]:
    try:
        sheets, _ = sheets_of(table)
    except Refused as refused:
        raise Refused([each if each.span else each.at(Span(file=table)) for each in refused.findings]) from None
    sheet = next((each for each in sheets if len(each.rows) > 1), None)
    if sheet is None:
        raise ValueError(f"`{table}` has no cards: its first row has the headings, and each row below is a card")
    if flawed := [cell for row in sheet.rows for cell in row if cell.flaw]:
        raise Refused([flaw_of(table, sheet.name, cell) for cell in flawed])
    cells = _cells(sheet)
    name = _column_of_names(cells, len(sheet.rows) - 1)
    if name is None:
        raise ValueError(f"no column of `{table}` can be the names of cards: give each row its own, below `name`")
    art = _column_of_pictures(cells)
    icons = {icon for _, values in cells for icon in _ICON.findall(" ".join(values))}
    notation = Notation(tuple((icon, "icons/number.svg") for icon in ("#", *icons)))
    headings = {heading.lower() for heading, _ in cells}
    taken, columns, words = {"name"}, list[_Column](), list[tuple[str, str, str]]()
    for number, (heading, values) in enumerate(cells):
        if heading.startswith("#"):  # a column of its author alone
            continue
        base, _, language = heading.lower().rpartition(".")
        if base in headings and LANGUAGE.fullmatch(language):
            words.append((heading, base, language))
            continue
        own = "name" if number == name else "art" if number == art else ""
        key = own or _common_key(heading, values, taken, len(sheet.rows) - 1)
        kind = None if key else _type_of(values, notation)
        doubt = f"not `rich`: {_flaw(values, notation)}" if kind is FieldType.TEXT else ""
        columns.append(_Column(heading, key or _field_name(heading, number, taken), kind, values, doubt))
        taken.add(columns[-1].key)
    keys = {each.heading.lower(): each.key for each in columns}
    return columns + [
        _Column(heading, f"{keys.get(base, base)}.{language}", None, ()) for heading, base, language in words
    ]


def _cells(sheet: TableSheet) -> list[tuple[str, tuple[str, ...]]]:
    """Return the headings, each with what the filled cells below it say."""
    below: dict[int, list[str]] = {cell.column: [] for cell in sheet.rows[0]}
    for row in sheet.rows[1:]:
        for cell in row:
            below.get(cell.column, []).append(said_by_cell(cell.text)[0])
    return [(cell.text.strip(), tuple(below[cell.column])) for cell in sheet.rows[0]]


def _column_of_names(cells: Sequence[tuple[str, tuple[str, ...]]], rows: int) -> int | None:
    """Return the number of the column with a name in each row: by its heading, or the first whose words all differ."""
    whole = [number for number, (_, values) in enumerate(cells) if len(values) == rows]
    called = [number for word in _MEANT["name"] for number in whole if cells[number][0].lower() == word]
    own = [n for n in whole if len({*cells[n][1]}) == rows and not all(map(str.isdecimal, cells[n][1]))]
    return next(iter((*called, *own)), None)


def _column_of_pictures(cells: Sequence[tuple[str, tuple[str, ...]]]) -> int | None:
    """Return the number of the column whose cells name pictures of cards: by its heading, or the first of such words."""
    named = [
        n for n, (_, values) in enumerate(cells) if values and all(each.lower().endswith(PICTURES) for each in values)
    ]
    called = [n for word in _MEANT["art"] for n in named if cells[n][0].lower() == word]
    own = [n for n in named if re.fullmatch(r"[^#.]+", cells[n][0]) and cells[n][0].lower() not in COMMON]
    return next(iter((*called, *own)), None)


def _common_key(heading: str, values: Sequence[str], taken: set[str], rows: int) -> str:
    """Return the key of every card that a column is for; "" if its heading or its cells are those of something else."""
    no_kinds = {"back", "frame", *RESERVED}  # the first two are other templates
    word = heading.lower()
    key = next((key for key, words in _MEANT.items() if word in words), word)
    fits = {
        "copies": all(value.isdecimal() and int(value) <= MAX_COPIES for value in values),
        "id": len({*values}) == len(values) and all(map(ids.is_id, values)),
        "kind": len(values) == rows and all(NAME.fullmatch(value) and value not in no_kinds for value in values),
    }
    return key if values and key not in taken and fits.get(key) else ""


def _field_name(heading: str, number: int, taken: set[str]) -> str:
    name = ids.slug(heading).replace("-", "_")[:30].strip("_")
    name = name if NAME.fullmatch(name) else f"column_{number + 1}"
    names = [name, *(f"{name}_{count}" for count in range(1, number + 2))]
    return next(each for each in names if each not in {*taken, *COMMON, *RESERVED, "draft", _COLOR})


def _type_of(values: Sequence[str], notation: Notation) -> FieldType:
    """Return the type of the field in which cells may say that."""
    if not values:
        return FieldType.LINE
    if all(re.fullmatch("-?[0-9]{1,4}", value) for value in values):
        return FieldType.NUMBER
    if {*values} <= {"true", "false"}:
        return FieldType.FLAG
    if all(re.fullmatch(rf"(?:{_ICON.pattern}\s*)+", value) for value in values):
        return FieldType.ICONS
    if any("\n" in value or len(value) > _LONGEST_LINE or _ICON.search(value) for value in values):
        return FieldType.TEXT if _flaw(values, notation) else FieldType.RICH
    few = 1 < len({*values}) <= min(_MAX_CHOICES, len(values) // 2)
    return FieldType.CHOICE if few and all(len(each) <= _LONGEST_CHOICE for each in values) else FieldType.LINE


def _flaw(values: Sequence[str], notation: Notation) -> str:
    """Return the first mistake that makes cells no rich text; "" if they are one."""
    flaws = (flaw for each in values for flaw in read_rich(each, notation)[1])
    return next((flaw.message for flaw in flaws if flaw.severity is Severity.ERROR), "")


# --- set and game ---------------------------------------------------------------------------------------------------


_COLOR = "frame_color"
_COLORS = ("#3d5a80", "#8a4f2a", "#3d6b3a", "#6b3f69", "#a33b3b", "#2f6f6d", "#7a6a1f", "#4a4e57")


def _tables(columns: Sequence[_Column]) -> str:
    named = [(each.heading, each.key) for each in columns if each.heading.lower() != each.key]
    languages = [*dict.fromkeys(each.key.partition(".")[2] for each in columns if "." in each.key)]
    spoken = (
        f"languages: [en, {', '.join(languages)}]  # the first is that of headings without one\n" if languages else ""
    )
    lines = ["tables:", "  columns:  # the keys of cards that the headings of the table stand for"] if named else []
    lines += [f"    {write_words(heading)}: {key}" for heading, key in named]
    return spoken + "".join(f"{line}\n" for line in lines)


def _icons(columns: Sequence[_Column]) -> list[tuple[str, str, str]]:
    """Return the icons that cells name in braces: the name, its file, and the words in it."""
    rich = [value for each in columns if each.type in (FieldType.ICONS, FieldType.RICH) for value in each.values]
    names = Counter(name for value in rich for name in _ICON.findall(value))
    found = [("#", "icons/number.svg", "{{ value }}")] if any(map(str.isdecimal, names)) else []
    own = sorted(name for name in names if not name.isdecimal())
    return found + [
        (name, f"icons/{ids.slug(name) or 'icon'}-{number}.svg", escape(name[:3])) for number, name in enumerate(own, 1)
    ]


def _game(name: str, columns: Sequence[_Column], kinds: Sequence[str], icons: Sequence[tuple[str, str, str]]) -> str:
    """Return the text of `game.yaml`."""
    lines = [
        "# What the cards of this game have, worked out from the table. Change all you like, and run `kotc check`.",
        f"name: {name}",
        "fields:",
        *(f"  {each.key}: {_field(each)}" for each in columns if each.type),
        f"  {_COLOR}: {{value: {write_anywhere(_color(columns, kinds))}}}  # of the frame; no card gives it",
        "kinds:",
        *(f"  {kind}: {{}}" for kind in kinds),
        *(["icons:"] if icons else []),
        *(f"  {write_words(icon)}: {file}" for icon, file, _ in icons),
        f"table: [{', '.join(('id', 'name', 'kind', *_told(columns), 'copies'))}]  # columns of lists",
    ]
    return "".join(f"{line}\n" for line in lines)


def _field(column: _Column) -> str:
    assert column.type
    values = [*dict.fromkeys(column.values)]
    if column.type is FieldType.CHOICE:
        return f"{{type: choice, choices: [{', '.join(map(_word, values))}]}}"
    if column.type is FieldType.NUMBER and any(value.startswith("-") for value in values):
        return f"{{type: number, range: [{-HIGHEST}, {HIGHEST}]}}"
    return f"{{type: {column.type.value}}}{column.doubt and f'  # {column.doubt}'}"


def _word(value: str) -> str:
    return write_words(value) if write_words(value) != value else write_anywhere(value)


def _told(columns: Sequence[_Column]) -> list[str]:
    short = (FieldType.NUMBER, FieldType.CHOICE, FieldType.ICONS)
    return [each.key for each in columns if each.type in short][:5]


def _color(columns: Sequence[_Column], kinds: Sequence[str]) -> str:
    """Return the expression that gives the color of a frame: by kind, or by the first choice of few words."""
    choices = [each for each in columns if each.type is FieldType.CHOICE and len({*each.values}) <= len(_COLORS)]
    key, words = (
        ("kind", kinds) if len(kinds) > 1 or not choices else (choices[0].key, dict.fromkeys(choices[0].values))
    )
    return f"{{{', '.join(f'{word!r}: {color!r}' for word, color in zip(words, _COLORS, strict=False))}}}.get({key}, {_COLORS[-1]!r})"


# --- the template ---------------------------------------------------------------------------------------------------


_MAX_BADGES, _MAX_IN_LINE = 4, 3
_LINE, _FEW_LINES = 60, 7  # characters of a line of the smallest letters; more lines need the room of a picture
_NUMBER = """\
  {{% if card.{key} is not none %}}
  <circle cx="{x}" cy="{y}" r="4.2" fill="{{{{ card.{color} }}}}"/>
  <text id="{key}" x="{x}" y="{baseline}" width="7" text-anchor="middle" font-size="4.8" min-size="2" font-weight="bold" fill="#ffffff">{{{{ card.{key} }}}}</text>
{label}  {{% endif %}}
"""


def _frame(columns: Sequence[_Column]) -> str:
    """Return a template that shows every field: one in the corner, short ones in a line, numbers below, all else in a box."""
    of_type = {kind: [each for each in columns if each.type is kind] for kind in FieldType}
    corner = (of_type[FieldType.ICONS] + of_type[FieldType.NUMBER])[:1]
    badges = [each for each in of_type[FieldType.NUMBER] if each not in corner][:_MAX_BADGES]
    line = [
        each
        for each in of_type[FieldType.CHOICE] + of_type[FieldType.LINE]
        if max(map(len, each.values), default=0) < 25
    ][:_MAX_IN_LINE]
    texts = of_type[FieldType.RICH] + of_type[FieldType.TEXT]
    rest = [each for each in columns if each.type and each not in (*corner, *badges, *line, *texts)]
    longest = [max(map(len, each.values), default=0) for each in texts]
    longest.append(sum(len(each.heading) + max(map(len, each.values), default=0) + 2 for each in rest))
    art = 33.0 if sum(-(-length // _LINE) for length in longest) <= _FEW_LINES else 14.0
    top, bottom = 14 + art, 73.0 if badges else 83.0
    body = "".join(_shown(each, is_text=True) for each in texts)
    if rest:
        body += f'<tspan display="block">{"".join(_shown(each, is_text=False) for each in rest)}</tspan>'
    words = ", ".join(f"card.{each.key}" for each in line)
    parts = Template((_TEXTS / "frame.template").read_text(encoding="utf-8"))
    return parts.substitute(
        color=f"{{{{ card.{_COLOR} }}}}",
        corner="".join(_in_corner(each) for each in corner),
        height=f"{art:g}", hills=f"{art - 33:g}", line_y=f"{top + 4.9:g}", rule_y=f"{top + 6.4:g}", box_y=f"{top + 8.2:g}",
        line=f"{{{{ [{words}]|select|join(' · ') }}}}" if line else "{{ card.kind|replace('_', ' ') }}",
        id=next((each.key for each in (*texts, *rest)), "name"),
        box=f"{bottom - top - 8.2:g}",
        body=body,
        badges="".join(_badges(badges)),
    )  # fmt: skip


def _in_corner(column: _Column) -> str:
    if column.type is FieldType.NUMBER:
        return _NUMBER.format(key=column.key, color=_COLOR, x=53, y=9.2, baseline=10.95, label="")
    words = f"{{{{ card.{column.key} }}}}"
    return f'  <text id="{column.key}" x="57" y="11.2" width="16" text-anchor="end" font-size="5" min-size="2">{words}</text>\n'


def _badges(columns: Sequence[_Column]) -> Iterator[str]:
    for number, each in enumerate(columns):
        x = f"{31.75 + 13 * (number - (len(columns) - 1) / 2):g}"
        place = f'x="{x}" y="84" width="12" text-anchor="middle"'
        label = f'  <text {place} font-size="1.9" min-size="1" fill="#6f6257">{each.label}</text>\n'
        yield _NUMBER.format(key=each.key, color=_COLOR, x=x, y=78, baseline=79.75, label=label)


def _shown(column: _Column, *, is_text: bool) -> str:
    """Return a field in the box: a text as a paragraph, else the heading and the value."""
    key = f"card.{column.key}"
    asked = f"{key} is not none" if column.type is FieldType.NUMBER else key
    said = f'<tspan font-weight="bold">{column.label}</tspan> {{{{ {key} }}}} '
    if is_text:
        said = f'<tspan display="block">{{{{ {key} }}}}</tspan>'
    elif column.type is FieldType.FLAG:
        said = f'<tspan font-weight="bold">{column.label}</tspan> '
    return f"{{% if {asked} %}}{said}{{% endif %}}"
