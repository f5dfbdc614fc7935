"""What the schemas say of files, read as editors read them, beside what the program says of them."""

import json
import math
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from render.base.findings import Diagnostic, Severity
from render.game import registry
from render.game.folder import card_files
from render.game.schemas import all_schemas, schema_text

SAYABLE = {
    "002": "unknown key", "003": "a key of other kinds", "004": "missing key", "005": "wrong type", "006": "number",
    "007": "word", "008": "kind of other editions",
}  # fmt: skip
"""The mistakes that schemas refuse, by their codes without the letter of the file."""


class _Core(yaml.SafeLoader):
    """Resolves plain scalars by the core schema of YAML 1.2 (10.3.2), as yaml-language-server does."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML's own


for _tag, _pattern in {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
    "merge": r"<<",
}.items():
    _Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), None)


def as_editors_read(text: str) -> object:
    """Return the values of a YAML file; keys are texts, and merged mappings are merged."""
    loader = _Core(text.removeprefix("\ufeff"))
    try:
        node = loader.get_single_node()
        return _value(loader, node)
    finally:
        loader.dispose()


def _value(loader: _Core, node: yaml.Node | None) -> object:
    match node:
        case yaml.MappingNode():
            loader.flatten_mapping(node)
            return {str(key.value): _value(loader, value) for key, value in node.value}
        case yaml.SequenceNode():
            return [_value(loader, item) for item in node.value]
        case yaml.ScalarNode():
            return _scalar(node)
    return None


def _scalar(node: yaml.ScalarNode) -> object:
    written = node.value
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return written.lower() == "true"
        case "int":
            digits, base = (written[2:], 8) if written.startswith("0o") else (written, 16 if "x" in written else 10)
            return int(digits, base) if len(digits) < 300 else math.inf  # as a number of JavaScript
        case "float":
            return float(written.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return written


@cache
def validator(name: str, edition: int | None = None, game: str = registry.DEFAULT) -> Draft202012Validator:
    """Return a validator by a schema as it is written into files."""
    schema = json.loads(schema_text(all_schemas(registry.game_named(game), edition)[name]))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def refusals(name: str, text: str, edition: int | None = None, game: str = registry.DEFAULT) -> list[str]:
    """Return what a schema says of a file's text."""
    return [each.message for each in validator(name, edition, game).iter_errors(as_editors_read(text))]


# --- held against the program ----------------------------------------------------------------------------------------


# What no schema can say, by the field of the finding and its words; cards/editors.md lists it.
_UNSAYABLE = (
    ("edition", r"has no `edition`, and neither has its set|found the text `none`"),
    (
        "",
        r"found `(0[0-9]+|[+-]?[0-9]+\.0+|\+[0-9]+|0x.*|.*\.[0-9]{5,}|[0-9]{5,}\..*)`",
    ),  # other ways to write a number
    ("text_size", "from [0-9.]+ to 24"),  # `least_text` of the set
    ("", "expected `true` or `false`, found `(True|TRUE|False|FALSE)`"),
    ("sheet", "(fit|mm)"),  # lengths with units, and cards that do not fit the paper
    ("outputs", "prints|cards"),  # shops that do not print cards of that size
    ("words", "capital letters"),  # letters beyond Latin-1
    ("id", "found `(null|Null|NULL|~)`"),
    (r"targets\.[0-9]+\.it", ""),  # a gender that the same file names, if it names any
    (r"targets\.[0-9]+$|$", "has no `it`"),
)


def unsayable(finding: Diagnostic) -> bool:
    """Return whether a mistake is one of those that no schema can tell."""
    return any(re.match(field, finding.field) and re.search(words, finding.message) for field, words in _UNSAYABLE)


def of_set(folder: Path, findings: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield how the schemas of a set's files differ from what was found in them."""
    found = list(findings)
    text = (folder / "set.yaml").read_text(encoding="utf-8", errors="replace")
    in_file = [each for each in found if each.span and each.span.file == folder / "set.yaml"]
    yield from disagreements("set", text, in_file)
    edition = re.search(r"^edition: ([0-9]{1,3})\s*$", text, re.MULTILINE)
    if any(each.severity is Severity.ERROR for each in in_file):
        return  # what cards take from their set is not known
    for file in card_files(folder):
        mine = [each for each in found if each.span and each.span.file == file]
        words = file.read_text(encoding="utf-8", errors="replace")
        yield from disagreements("cards", words, mine, int(edition[1]) if edition else None)
        if not any(each.severity is Severity.ERROR for each in mine):  # nor does that for sets of no edition refuse it
            yield from disagreements("cards", words, mine)


def disagreements(name: str, text: str, findings: Iterable[Diagnostic], edition: int | None = None) -> Iterator[str]:
    """Yield how the schema of a file differs from what the program found in it; `edition` is that of its set."""
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if any(each.code[0] == "Y" for each in errors):  # it cannot be read
        return
    refused = refusals(name, text, edition)
    said = [each for each in errors if each.code[1:] in SAYABLE and not unsayable(each)]
    if not errors and refused:
        yield f"the schema `{name}` of edition {edition} refuses a sound file: {refused[0]}\n{text}"
    if said and not refused:
        yield f"the schema `{name}` of edition {edition} accepts {said[0].code} {said[0].message}\n{text}"
