"""What a shell offers for a word that is being typed: click knows commands, options and their choices; this adds cards,
papers, printers, shops, editions, languages, kinds and error codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from render.cli.terminal.choices import LISTED, KnownValue, choices

_COMPLETED = {
    "--card": "cards",
    "--fit": "cards",
    "--remove": "printers",
    "explain words": "cards and codes",
    "shop name": "shops",
    "edition show number": "editions",
    "edition diff old": "editions",
    "edition diff new": "editions",
    "migrate --to": "editions",
    "upgrade --to": "editions",
    "new kind": "kinds",
    "pdf --kind": "kinds",
    "png --kind": "kinds",
    "cut --kind": "kinds",
}
"""What is completed besides what can be listed: by option, or by command and argument."""


Here = Callable[[], Path | None]
Complete = Callable[[click.Context, str], list[CompletionItem]]


def attach(command: click.Command, path: str, here: Here) -> None:
    """Let the parameters of a command complete what they may be; `path` is how it is typed, such as `edition show`.

    `here` returns the path that is meant where none is given, if there is one.
    """
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            attach(below, f"{path} {name}", here)
    for parameter in command.params:
        thing = _thing(parameter, path)
        if thing:
            # click takes such a function only where a parameter is declared.
            setattr(parameter, "shell_complete", _completer(thing, parameter.shell_complete, here))  # noqa: B010


def _thing(parameter: click.Parameter, path: str) -> str:
    words = parameter.opts if isinstance(parameter, click.Option) else [parameter.name or ""]
    table = {**LISTED, **_COMPLETED}
    named = (f"{path} {word}" for word in words)
    return next((table[word] for word in (*named, *words) if word in table), "")


def _completer(thing: str, otherwise: Complete, here: Here) -> Complete:
    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        found = _matching(_known(thing, context, here), incomplete)
        return [CompletionItem(each.value, help=each.words or None) for each in found] or otherwise(context, incomplete)

    return complete


def _known(thing: str, context: click.Context, here: Here) -> Iterable[KnownValue]:
    if thing == "cards":
        return _cards(context, here)
    if thing == "cards and codes":
        return (*_cards(context, here), *choices("error codes"))
    return choices(thing)


def _cards(context: click.Context, here: Here) -> Iterable[KnownValue]:
    from render.cli.terminal.card_names import cards_of

    given = [Path(each) for each in (*context.params.get("paths", ()), *context.params.get("words", ()))]
    usual = here()
    paths = [each for each in given if each.exists()] or ([usual] if usual else [])
    return [KnownValue(card_id, name) for card_id, name in cards_of(paths)]


def _matching(known: Iterable[KnownValue], incomplete: str) -> list[KnownValue]:
    """Return the values that begin as the word does, in small letters or capitals; else those whose description does.

    So `Storm H` leads to the id of the card Storm Hammer.
    """
    begun = incomplete.lower()
    found = list(known)
    by_value = [each for each in found if each.value.lower().startswith(begun)]
    return by_value or [each for each in found if begun and each.words.lower().startswith(begun)]
