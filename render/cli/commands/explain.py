"""The command `explain`: where the values of a card come from, how its level follows, and what an error code means."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.command import kotc_command
from render.cli.console import TEXT_OR_JSON, end_with_errors, say, say_findings, tell, tell_json
from render.cli.selection import LANGUAGE, VERSIONS, check_paths, or_here
from render.cli.streams import room_of
from render.game.home import Versions

if TYPE_CHECKING:
    from render.base.findings import Diagnostic
    from render.game.cards import GameCard, GameSet


@kotc_command(
    examples=(
        "kotc explain wharf-cat cards/starter",
        "kotc explain 'Wharf Cat' cards/starter --values",
        "kotc explain C007",
    )
)
@click.argument("words", nargs=-1, metavar="[CARD|CODE]... [PATH]...")
@click.option(
    "--values",
    is_flag=True,
    help="Say where each value of a card comes from, also in a game whose rules give its numbers.",
)
@LANGUAGE
@VERSIONS
@TEXT_OR_JSON
def explain(versions: Versions, /, words: tuple[str, ...], style: str, language: str | None, *, values: bool) -> None:
    """Explain the values of a card, its level, or an error code.

    CARD is the id or the name of a card, or FILE:LINE; the default is all cards of the sets. In Keeper of the Cards,
    the calculation of its level and Ultra Points is shown for each part of the text; in all other games, where each
    value is written. CODE is that of an error or a warning, such as C007.
    """
    codes = _codes(words)
    if codes:
        _tell_codes(codes, style)
        return
    shown = [*_explained(words, language or "", versions, values=values)]
    if style == "json":
        import json

        tell_json(json.dumps([one for _, objects in shown for one in objects], ensure_ascii=False, indent=2))
    else:
        tell("\n\n".join(text for text, _ in shown))


def _codes(words: tuple[str, ...]) -> list[str]:
    """Return the error codes that are meant; [] if cards are. A word in small letters may be the id of a card, too."""
    from render.cli.explanations import normal_code

    codes = [normal_code(word) for word in words if not Path(word).exists()]
    if not all(codes) or len(codes) < len(words):
        capital = [word for word in words if word[:1].isupper() and normal_code(word)]
        if capital and not Path(capital[0]).exists():
            raise click.UsageError(f"`{capital[0]}` is an error code: explain codes and cards one after the other")
        return []
    known = _ids_here() if any(word.islower() for word in words) else set[str]()
    cards = [word for word in words if word in known]
    if cards:
        code = normal_code(cards[0])
        say(f"`{cards[0]}` is a card here; for the error code, type `kotc explain {code}`")
        return []
    return codes


def _ids_here() -> set[str]:
    """Return the ids of the cards that are meant where no path is given; none if there are no sets."""
    from render.game.sources import survey

    try:
        sets, _ = survey(or_here(()))
    except click.UsageError:  # there are no sets here
        return set()
    return {card.id for card_set in sets for card in card_set.cards}


def _tell_codes(codes: list[str], style: str) -> None:
    from render.base.findings import listed
    from render.cli.explanations import explained, explained_as_json, explained_as_text, nearest_codes

    found = {code: explained(code) for code in codes}
    for code, each in found.items():
        if each is None:
            near = nearest_codes(code)
            hint = f"the nearest are {listed(near, 'and')}" if len(near) > 1 else f"did you mean `{near[0]}`?"
            raise click.BadParameter(f"there is no error code `{code}`: {hint}", param_hint="CODE")
    shown = [each for each in found.values() if each]
    if style == "json":
        tell_json(explained_as_json(shown))
    else:
        tell(explained_as_text(shown, room_of(sys.stdout)))


def _explained(
    words: tuple[str, ...], language: str, versions: Versions, *, values: bool
) -> Iterator[tuple[str, Iterable[object]]]:
    """Yield text and objects of JSON about the cards that are named, or all that could be read, and print what is wrong.

    Refused if there is nothing to show.
    """
    from render.base.findings import Refused, did_you_mean, has_errors, listed, sort_findings
    from render.game import origins
    from render.game.registry import game_of
    from render.game.sets.checking import with_flawed
    from render.game.sources import survey

    meant = {word: is_meant for word in words if (is_meant := _cards_of(word))}
    files = (at["file"] for word in meant if (at := _AT_LINE.fullmatch(word)))
    paths = dict.fromkeys((*(word for word in words if word not in meant), *files))
    sets, findings = survey(check_paths(tuple(map(Path, paths))), language, to_edit=True, versions=versions)
    # A card whose mistake has nothing to do with its numbers has these all the same.
    sets = [with_flawed(card_set) for card_set in sets]
    cards = [card for card_set in sets for card in card_set.cards]
    unknown = [word for word, is_meant in meant.items() if not any(map(is_meant, cards))]
    is_foreign = any(each.code == "S034" for each in findings)  # the set has no words in that language
    if has_errors(findings) and (unknown or not cards or is_foreign):
        raise Refused(findings)
    if unknown:
        hint = did_you_mean(unknown[0], [word for card in cards for word in (card.id, *card.names)])
        raise click.BadParameter(f"there is no card {listed(unknown)}{hint and f': {hint}'}", param_hint="CARD")
    doubtful: list[Diagnostic] = []
    for card_set in sets:
        chosen = [card for card in card_set.cards if not meant or any(is_meant(card) for is_meant in meant.values())]
        own = game_of(card_set).explained(chosen, card_set) if chosen and not values else None
        if own:
            doubtful += own.findings
            yield own.text, own.values
        else:
            yield from ((_as_text(card, card_set), [origins.as_value(card, card_set)]) for card in chosen)
    if has_errors(findings) and not meant:  # the other cards are explained all the same
        doubtful = sort_findings([*findings, *doubtful])
        end_with_errors()
    say_findings(doubtful)


_AT_LINE = re.compile(r"(?P<file>.+\.\w+):(?P<line>[1-9][0-9]{0,6})(?::[0-9]*)?")


def _cards_of(word: str) -> Callable[[GameCard], bool] | None:
    """Return which cards an id, a name or FILE:LINE means; None for a path."""
    if Path(word).exists():
        return None
    at = _AT_LINE.fullmatch(word)
    if at and Path(at["file"]).exists():
        file, line = Path(at["file"]).resolve(), int(at["line"])
        return lambda card: card.document.file.resolve() == file and line in card.document.span(card.node).lines
    if " " not in word and re.search(r"[/\\]|\.\w{3,4}$", word):
        return None
    return lambda card: word == card.id or word.casefold() in (name.casefold() for name in card.names)


_WIDEST = 28  # columns of a value


def _as_text(card: GameCard, card_set: GameSet) -> str:
    """Return where the values of a card come from, as a table; what is not given is named at its end."""
    from render.base.columns import columns, cut_around, wrap
    from render.base.findings import printable
    from render.game.origins import explain_card

    rows = explain_card(card, card_set)
    given = [(name, _words(value), origin) for name, value, origin in rows if value is not None]
    first = max(len(name) for name, _, _ in given)
    second = min(max(columns(words) for _, words, _ in given), _WIDEST)
    lines = [
        f"{card.name} ({card.id}), {card.kind.value} of {card_set.name}{card.variant and f', as `{card.variant}`'}"
    ]
    for name, words, origin in given:
        shown = cut_around(words, 0, 0, second).shown
        where = ", ".join(filter(None, (origin.how, str(origin.place or ""))))
        where += f"; file{'s' * (len(origin.files) > 1)} {', '.join(origin.files)}" if origin.files else ""
        lead = f"  {name:<{first}}  {shown}{' ' * (second - columns(shown))}  "
        for line in wrap(where, max(room_of(sys.stdout) - columns(lead), 30), ""):
            lines.append(f"{lead}{line}")
            lead = " " * columns(lead)
    left = [name for name, value, _ in rows if value is None]
    return "\n".join(map(printable, (*lines, *([f"  not given: {', '.join(left)}"] if left else ()))))


def _words(value: object) -> str:
    shown = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else None
    return shown or " ".join((", ".join(map(str, value)) if isinstance(value, tuple) else str(value)).split())
