"""The command `suggest`: cards of a wish."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import format_option, say, tell, tell_json
from render.cli.selection import check_paths

if TYPE_CHECKING:
    from render.games.kotc.model.edition import Edition
    from render.games.kotc.workshop.suggestions.suggesting import Suggestions
    from render.games.kotc.workshop.suggestions.wish import Wish

_NUMBER = click.IntRange(0, 9999)


@kotc_command(
    examples=(
        "kotc suggest a spell of level 5 with draw",
        "kotc suggest --level 5 --with draw",
        'kotc suggest --begin "Target 1 on-field"',
        "kotc suggest --fit wharf-cat cards/starter",
    )
)
@click.argument("said", nargs=-1, metavar="[WISH|PATH]...")
@click.option("--fit", metavar="CARD", help="Show wordings of this card that are set in larger type.")
@click.option("--begin", metavar="TEXT", help="Show how the beginning of an ability may go on.")
@click.option(
    "--edition",
    "number",
    type=click.IntRange(1, 999),
    help="Edition of the cards.  [default: that of the set in this folder, else the newest]",
)
@click.option(
    "--kind",
    type=click.Choice(["spell", "minion", "creature"]),
    default="spell",
    show_default=True,
    help="Kind of the cards.",
)
@click.option("--level", type=click.IntRange(0, 999), help="Level or cost; required, here or in the WISH.")
@click.option("--sp", type=_NUMBER, help="SP or offense of a minion.  [default: any]")
@click.option("--hp", type=_NUMBER, help="HP or defense of a minion.  [default: any]")
@click.option("--ultra-points", type=_NUMBER, help="Ultra Points at most.  [default: any]")
@click.option("--with", "words", multiple=True, metavar="WORDS", help="Words that must occur; can be repeated.")
@click.option("--without", "unwanted", multiple=True, metavar="WORDS", help="Words that must not; can be repeated.")
@click.option("--condition/--no-condition", default=None, help="Whether abilities have an activation condition.")
@click.option(
    "--sub-abilities",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="Sub-abilities of an ability at most.",
)
@click.option(
    "--abilities", type=click.IntRange(0, 2), default=1, show_default=True, help="How many abilities a minion has."
)
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many cards.")
@click.option("--all-numbers", is_flag=True, help="Show the same components with other numbers, too.")
@format_option("text is YAML to paste into a card file, json for programs.", "text", "json")
def suggest(said: tuple[str, ...], fit: str | None, begin: str | None, style: str, **options: object) -> None:
    """Suggest legal cards of a wish, those with the shortest text first.

    A WISH is in plain words, such as `kotc suggest a spell of level 5 with draw`; options say the same, or more. It is
    about what a card does, not about what that costs. Cards that harm their own owner come last.

    `--with` and `--without` look for WORDS in each component of a card, in any case, in the singular or plural, as in
    `--with draw` and `--with "2 cards"`. The search tries the numbers from 1 to 999, and up to 3 activation costs and 3
    effects. `--fit` looks for its card in the sets at PATH.
    """
    said = tuple(word for word in said if word.strip())
    if fit is not None:
        _check_alone("--fit", {"said", "fit", "style"})
        _show_wordings(fit, tuple(map(Path, said)), style)
    elif said and all(Path(word).exists() for word in said):
        raise click.UsageError("paths need --fit, the id of a card")
    elif begin is not None:
        _check_alone("--begin", {"begin", "style", "number"})
        _show_continuations(begin, options["number"], style)  # type: ignore[arg-type] # of the type of --edition
    else:
        asked = _with_words(" ".join(said), options) if said else options
        if asked["level"] is None:
            raise click.UsageError("Missing option '--level'." if not said else "say the level, as in `of level 5`")
        _show_cards(style, **asked)  # type: ignore[arg-type] # of the types of the options


def _with_words(said: str, options: dict[str, object]) -> dict[str, object]:
    """Return the options with what a wish in words says; a usage error if both say one thing."""
    from render.base.findings import quoted
    from render.games.kotc.workshop.suggestions.wish import in_words_of, read_wish

    try:
        wish = read_wish(said)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="WISH") from None
    context = click.get_current_context()
    for name in wish.values:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"the wish says {quoted(name.replace('_', ' '))}, and so does an option: say it once"
            )
    _check_sizes(wish.values)
    asked = {**options, **wish.values}
    if "kind" not in wish.values and {"sp", "hp"} & set(wish.values):
        asked["kind"] = "minion"
    edition = _edition(asked["number"], str(asked["kind"]))  # type: ignore[arg-type] # of the type of --edition
    words, read_as = in_words_of(edition, wish.words)
    unwanted, unread_as = in_words_of(edition, wish.unwanted)
    for one, other in (*read_as, *unread_as):
        say(f"{quoted(one)} is read as {quoted(other)}")
    asked["words"] = (*options["words"], *words)  # type: ignore[misc] # of the types of the options
    asked["unwanted"] = (*options["unwanted"], *unwanted)  # type: ignore[misc]
    return asked


def _check_sizes(values: dict[str, object]) -> None:
    """Raise a usage error for a number that the option of that name would not take."""
    context = click.get_current_context()
    for param in context.command.params:
        if param.name in values:
            param.type.convert(values[param.name], param, context)


def _check_alone(flag: str, known: set[str]) -> None:
    """Raise a usage error for options that say nothing beside this one."""
    context = click.get_current_context()
    given = [
        each.opts[0] if isinstance(each, click.Option) else "a wish in words"
        for each in context.command.params
        if each.name not in known
        and context.get_parameter_source(each.name or "") is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{given[0]} does nothing beside {flag}: leave it out")


def _show_cards(style: str, *, number: int | None, kind: str, count: int, all_numbers: bool, **wished: object) -> None:
    from render.games.kotc.workshop.suggestions import suggesting
    from render.games.kotc.workshop.suggestions.wish import Wish, deeds

    edition = _edition(number, kind)
    if kind == "spell" and (wished["sp"] is not None or wished["hp"] is not None):
        raise click.UsageError("a spell has no SP and no HP: leave out --sp and --hp, or ask for --kind minion")
    does = deeds(edition, wished["words"])  # type: ignore[arg-type] # of the type of the option
    wish = Wish(is_spell=kind == "spell", deeds=does, **wished)  # type: ignore[arg-type] # of the types of the options
    if wish.is_spell and wish.abilities != 1:
        raise click.UsageError("a spell has one ability: leave out --abilities")
    _check_words(wish, edition)
    found = suggesting.suggest(wish, edition, count, all_numbers=all_numbers)
    if style == "json":
        tell_json(suggesting.as_json(found.cards))
    elif found.cards:
        tell(suggesting.as_yaml(found.cards))
    say(_summary(found, kind, wish, edition))


def _show_continuations(begun: str, number: int | None, style: str) -> None:
    from render.base.findings import printable, quoted
    from render.games.kotc.workshop.suggestions import continuing

    edition = _edition(number, "spell")
    found = continuing.continuations(begun, edition)
    if style == "json":
        tell_json(continuing.continuations_as_json(found))
    elif found:
        tell("\n".join(map(printable, continuing.continuations_as_text(found).split("\n"))))
    if not found:
        say(f"no component begins as {quoted(begun)} ends")


def _show_wordings(wanted: str, paths: tuple[Path, ...], style: str) -> None:
    from render.base.findings import did_you_mean
    from render.games.kotc.levels.rules import Rules
    from render.games.kotc.sets import load_sets
    from render.games.kotc.workshop.suggestions.wordings import wordings, wordings_as_json, wordings_as_text

    sets = load_sets(check_paths(paths))
    found = [(card, card_set) for card_set in sets for card in card_set.cards if card.id == wanted]
    if not found:
        hint = did_you_mean(wanted, [card.id for card_set in sets for card in card_set.cards])
        raise click.BadParameter(f"there is no card `{wanted}`{f': {hint}' if hint else ''}", param_hint="--fit")
    card, card_set = found[0]
    calculator = Rules(card_set.folder).of(card.edition) if card.edition else None
    shown = wordings(card, card_set, calculator) if calculator and not (card.written or card.printed) else None
    if shown is None:
        say(f"`{wanted}` has words that are no component of its edition in English, so no other wording is known")
        return
    if style == "json":
        tell_json(wordings_as_json(shown))
    else:
        tell(wordings_as_text(shown))
    if not shown.better:
        say(f"no other wording of `{wanted}` is set in larger type")


def _edition(number: int | None, kind: str) -> Edition:
    """Return the rules of the edition; a usage error if it lacks the kind or has no rules for levels."""
    from render.games.kotc.editions.finding import find, known
    from render.games.kotc.lexicon.entries import edition_of_folder
    from render.games.kotc.model.cards import ordinal

    here = Path()
    edition = find(number or edition_of_folder(here) or known()[-1][0], here)
    name = f"the {ordinal(edition.number)} Edition"
    if kind != "spell" and edition.grammar.of_creatures != (kind == "creature"):
        other = "minion" if kind == "creature" else "creature"
        raise click.BadParameter(f"{name} has no {kind}s: ask for `{other}`", param_hint="--kind")
    if edition.levels is None or edition.levels.missing or not edition.components:
        message = f"the rules of {name} that are installed have no components, or do not say how levels are calculated"
        raise click.BadParameter(message, param_hint="--edition")
    return edition


def _check_words(wish: Wish, edition: Edition) -> None:
    """Raise a usage error for wished words that no component of the edition has."""
    from render.base.findings import did_you_mean, listed
    from render.games.kotc.editions.wording import plain_text
    from render.games.kotc.model.cards import ordinal
    from render.games.kotc.workshop.suggestions.wish import unknown_words

    unknown = unknown_words(wish.words, edition)
    if unknown:
        known = {word for each in edition.components for word in plain_text(each.text).split()}
        hint = did_you_mean(unknown[0], known)
        message = f"no component of the {ordinal(edition.number)} Edition has {listed(unknown)}"
        raise click.BadParameter(f"{message}{f': {hint}' if hint else ''}", param_hint="--with")


def _summary(found: Suggestions, kind: str, wish: Wish, edition: Edition) -> str:
    from render.games.kotc.model.cards import ordinal

    name = f"of {edition.terms.level} {wish.level}, {ordinal(edition.number)} Edition"
    if not found.cards:
        gave_up = "" if found.is_all else " among the shortest; the search was given up, so wish for less"
        return f"there is no {kind} {name}, that is wished for{gave_up}"
    head = f"{plural(len(found.cards), kind)} {name}, the shortest text first"
    if found.repeating:
        head += "; nothing fits without components that are there twice or target selections that no effect needs"
    return head if found.is_all else f"{head}; the search was given up there"
