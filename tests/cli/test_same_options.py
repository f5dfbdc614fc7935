"""An option that means the same has the same type and words in every command."""

import re
from collections.abc import Iterator

import click
import pytest

from render.cli.main import command as command_named
from render.cli.main import commands

# Where an option means another thing than in the other commands, the thing is named.
OTHER = {
    "--dry-run": {"import": "card files and pictures", "migrate": "card files", "upgrade": "card files and outputs"},
    "--format": {
        "cut": "a format of drawings", "explain": "not for GitHub", "migrate": "not for GitHub", "upgrade": "not for GitHub", "edition diff": "not for GitHub",
        "suggest": "cards to paste",
        "balance": "not for GitHub",
        "effects": "not for GitHub",
    },
    "--edition": {"check": "the rules that judge", "suggest": "edition of new cards", "init": "edition of new cards",
                  "effects": "the rules to list",
                  "schema": "edition of cards that name none"},
    "--game": {"schema": "the game of cards to come"},
    "--kind": {"effects": "kinds of components", "suggest": "the kind of new cards"},
    "--language": {"effects": "of the words to list"},
    "--list": {"shop": "shops", "calibrate": "printers", "schema": "schemas"},
    "--out": {
        "png": "PNGs", "pdf": "sheets", "calibrate": "a calibration sheet", "cut": "cuts", "shop": "files for others",
        "table": "files for tables", "schema": "schemas", "edition import": "rules",
    },
    "--paper": {"init": "a word for set.yaml"},
    "--page": {"balance": "figures", "effects": "the same list"},
    "--printer": {"calibrate": "a new name"},
    "--force": {"export": "writes over a file"},
    "--to": {"export": "a file", "import": "the folder of a set", "new": "a set or a card file"},
    "--strict": {"preflight": "nothing of a game's rules"},
}  # fmt: skip


def every_command() -> Iterator[tuple[str, click.Command]]:
    for name in sorted(commands()):
        command = command_named(name)
        if isinstance(command, click.Group):
            yield from ((f"{name} {each}", below) for each, below in sorted(command.commands.items()))
        else:
            yield name, command


COMMANDS = dict(every_command())
OPTIONS = sorted({flag for each in COMMANDS.values() for one in each.params for flag in one.opts if flag[:2] == "--"})


def with_option(flag: str) -> dict[str, click.Option]:
    """Return the option of that flag in each command that has it."""
    return {
        name: one
        for name, command in COMMANDS.items()
        for one in command.params
        if isinstance(one, click.Option) and flag in one.opts
    }


def said(option: click.Option) -> tuple[object, ...]:
    """Return the type and the words of an option; a default is what each command has."""
    limits = {key: getattr(option.type, key, None) for key in ("choices", "min", "max", "dir_okay", "file_okay")}
    words = re.sub(r"  \[default: .*\]$", "", option.help or "")
    return type(option.type), limits, option.metavar, option.is_flag, option.multiple, words


@pytest.mark.parametrize("flag", OPTIONS)
def test_what_means_the_same_has_the_same_type_and_words(flag: str) -> None:
    meanings: dict[str, list[object]] = {}
    for name, option in with_option(flag).items():
        meanings.setdefault(OTHER.get(flag, {}).get(name, ""), []).append(said(option))
    for meaning, all_said in meanings.items():
        assert all(each == all_said[0] for each in all_said), meaning
    assert len({repr(all_said[0]) for all_said in meanings.values()}) == len(meanings)


@pytest.mark.parametrize("flag", OPTIONS)
def test_a_flag_of_sheets_has_one_default(flag: str) -> None:
    """What no command and no set asks for is the same everywhere."""
    found = with_option(flag)
    if flag == "--paper":
        assert "[default" not in str(found.pop("calibrate").help)  # it is to be given
        assert "[default: what your country uses]" in str(found.pop("init").help)
    if "pdf" in found and (flag not in OTHER or flag == "--paper"):
        assert len({option.help for option in found.values()}) == 1


@pytest.mark.parametrize("name", [name for name in COMMANDS if with_option("--bleed").get(name)])
@pytest.mark.parametrize("length", ["3", "3mm", "3 mm", "0.3cm"])
def test_a_bleed_is_written_alike_in_every_command(name: str, length: str) -> None:
    context = click.Context(COMMANDS[name])
    option = with_option("--bleed")[name]
    assert option.process_value(context, length) == pytest.approx(3.0)
