"""The game's kinds, fields and table stand in its `game.yaml`; the program adds what no `game.yaml` can say."""

from render.game.declared.reading.game_rules import read_game
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files import keys
from render.games.kotc.game import GAME
from render.games.kotc.model import declaration
from render.games.kotc.model.cards import Kind


def test_the_file_is_read_as_any_other_game_without_a_finding() -> None:
    rules, findings = read_game(declaration.FOLDER)
    assert rules
    assert (rules.name, findings) == ("Keeper of the Cards", ())


def test_its_kinds_are_those_that_the_program_knows() -> None:
    assert {*GAME.kinds} == {kind.value for kind in Kind}


def test_pawns_and_tips_are_in_no_deck() -> None:
    assert {kind for kind in Kind if not keys.is_played(kind)} == {Kind.PAWN, Kind.TIP}


def test_each_kind_has_the_numbers_that_it_declares_by_the_names_of_its_edition() -> None:
    kept = {
        (kind, edition): [key for key in keys.of_card(kind, usual_grammar(edition)) if key in keys.NUMBERS]
        for kind, edition in ((Kind.MINION, 17), (Kind.SPELL, 17), (Kind.SPELL, 9), (Kind.CREATURE, 9), (Kind.PAWN, 11))
    }
    assert kept == {
        (Kind.MINION, 17): ["sp", "hp", "level", "ultra_points"],
        (Kind.SPELL, 17): ["level", "ultra_points"],
        (Kind.SPELL, 9): ["cost"],
        (Kind.CREATURE, 9): ["offense", "defense", "cost"],
        (Kind.PAWN, 11): ["offense", "defense", "cost"],
    }


def test_a_table_has_the_columns_of_the_file() -> None:
    assert GAME.columns == declaration.declaration().table
