"""The command `new`: adds a card to a card file."""

from __future__ import annotations

import re
from pathlib import Path

import click

from render.base.findings import Refused, did_you_mean, listed
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import check_given, check_paths, next_commands, typed

_NO_ART = "none"


@kotc_command(examples=('kotc new minion "Storm Hammer" --to cards/starter',))
@click.argument("kind", metavar="KIND")
@click.argument("name", metavar="NAME")
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Set or card file for the card; a file is made if needed.  [default: the set here]",
)
@click.option(
    "--art",
    metavar="FILE",
    help="Picture of the card, copied into `art` of the set; none leaves it out.  [default: the one no card uses]",
)
def new(kind: str, name: str, values: tuple[str, ...], to: Path | None, art: str | None) -> None:
    """Add a card to a card file.

    KIND is a kind of the set's game, such as minion or spell, and NAME the card's name. Other keys follow, such as
    sp=4 or "text=Draw 1 card."; numbers that the card needs begin with 1, and its level with auto. The card goes into
    the file that holds cards of its kind. A picture in the folder `art` of the set that has the card's name, or is
    the only one that no card uses, becomes its picture.
    """
    from render.game.authoring.new_files import CardWish, write_card
    from render.game.folder import Source
    from render.game.sets.named_games import game_in

    folder, file = _place(to)
    game = game_in(Source(folder))
    kinds = (*game.kinds, *(str(each.value) for each in game.new_kinds(game.new_set(folder, ""))))
    if kind not in kinds:
        hint = did_you_mean(kind, kinds) or f"there are {listed(kinds, 'and')}"
        if name in kinds:
            hint = f"the kind comes first, as in `{typed('new', name, kind)}`"
        raise click.BadParameter(f"there is no kind `{kind}`: {hint}", param_hint="KIND")
    picture = None if art in (None, _NO_ART) else Path(str(art))
    if picture:  # what else is wrong with it is said when it is read
        if re.match("https?://", str(art)):
            message = f"`{art}` is an address: save the picture, and give its file"
            raise click.BadParameter(message, param_hint="--art")
        check_given([picture], "--art")
    given = _values(name, values)
    wish = CardWish(
        folder=folder, file=file, kind=kind, name=name.strip(), values=given, art=picture, without_art=art == _NO_ART
    )
    written = write_card(wish)
    say(f"{wish.name}: a new {kind} in {written.file}:{written.line}")
    if written.numbered:
        say(f"  its id is {written.id}, which names its files: another card has that of its name")
    if written.picture:
        say(f"  its picture: {folder / written.picture}{' (a copy)' if written.copied else ''}")
    elif written.loose:
        say(f"  without a picture: {listed(written.loose[:5], 'and')} are used by no card; choose with `art:`")
    if "text" not in given:
        say("  write its text and numbers there, and save")
    path = () if folder == Path() else (folder,)
    next_commands(typed("preview", *path), typed("build", *path))


def _place(to: Path | None) -> tuple[Path, Path | None]:
    """Return the folder of the set, and the card file that was named; wrong usage if there is not one set."""
    from render.game.file_names import is_for_cards
    from render.game.folder import SET_FILE, find_sources, is_table

    if to is not None and not to.is_dir():
        if is_table(to):
            from render.game.authoring.card_text import no_new_card

            raise Refused([no_new_card(to)])
        # A card file that is named may be a new one, in the folder of a set.
        if to.suffix.lower() in (".yaml", ".yml") and to.name != SET_FILE:
            if not (to.parent / SET_FILE).is_file():
                raise click.BadParameter(f"`{to.parent}` has no `{SET_FILE}`, so it is no set", param_hint="--to")
            if not is_for_cards(to.name) and not to.exists():
                raise click.BadParameter(f"`{to.name}` is not for cards", param_hint="--to")
            return to.parent, to
    sets, findings = find_sources(check_paths((to,) if to else ()))
    if not sets:
        raise Refused(findings)
    if len(sets) > 1:
        examples = " or ".join(f"--to {files.folder}" for files in sets[:3])
        raise click.UsageError(f"there are {len(sets)} sets: name one, such as {examples}")
    return sets[0].folder, None


def _values(name: str, words: tuple[str, ...]) -> dict[str, str]:
    """Return the values of `KEY=VALUE`; wrong usage if there is anything else, or what cannot be printed."""
    given: dict[str, str] = {}
    for each in words:
        key, equals, value = each.partition("=")
        if not equals or not key.isidentifier() or key in ("name", "kind"):
            raise click.UsageError(f"expected a key and its value such as `sp=4`, found `{each}`")
        if key in given:
            raise click.UsageError(f"`{key}` is given twice")
        given[key] = value
    for value in (name, *given.values()):
        if not value.strip() or not value.replace("\n", "").isprintable() or "\n" in name:
            raise click.UsageError(f"expected printable characters, found {value!a}")
    return given
