"""Cards of a clean slate as drafts: legal, at the level told, with what was lost, and all else in the file as it was.

`python tests/benchmarks/prove.py drafts` proves it for all ways between editions, with more cards.
"""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from proofs.drafts import OFFICIAL, drafted

from render.cli.main import main
from render.games.kotc.editions.finding import find
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.drafts.drafting import Drafter
from render.games.kotc.workshop.drafts.numbers import carried_over
from render.games.kotc.workshop.migration.planning import migrate

THOR = """\
# Gods.
- name: Thor
  kind: creature  # of the north
  cost: 8
  offense: 6
  defense: 30
  text: |  # as printed
    You must sacrifice 3 cards in play to summon this creature.

    THOR'S HAMMER: Sacrifice 2 random cards in your hand. Target up to 1 card in play. Destroy all targets.
  text_size: 7
  flavor: He hammers.
"""
IN_BRACES = '- {name: Draw, kind: spell, cost: 4, copies: 2, text: "Destroy 1 of your cards in play. Draw 3 cards."}\n'
NEW = """\
- {name: Old Hand, kind: spell, level: 2, ultra_points: 1, text: "Pay 4 HP→ Draw 1 card."}
- name: Ox
  kind: minion
  sp: 2
  hp: 4
  level: auto
  ultra_points: auto
"""


def a_set(folder: Path, cards: str, edition: int = 9) -> Path:
    home = folder / "mine"
    home.mkdir()
    (home / "set.yaml").write_text(f"name: Mine\nedition: {edition}\n")
    (home / "cards.yaml").write_bytes(cards.encode())
    return home


def upgraded(home: Path, edition: int) -> str:
    """Return the text of the card file after an upgrade with drafts."""
    card_set = load_sets([home])[0]
    migration = migrate(card_set, find(edition, home), draft=True)
    files = {change.file.name: change.after for change in migration.files}
    return files["cards.yaml"]


@pytest.mark.parametrize(("old", "new", "count"), [(9, 11, 3), (17, 18, 2)])
def test_all_cards_of_a_clean_slate_become_legal_drafts_at_the_level_told(
    tmp_path: Path, old: int, new: int, count: int
) -> None:
    migration, _ = drafted(tmp_path / "set", old, new, count, seed=1)
    assert len(migration.drafted) > 85


def test_numbers_are_carried_over_as_those_of_the_official_cards(tmp_path: Path) -> None:
    home = a_set(tmp_path, OFFICIAL.read_text())
    card_set = load_sets([home])[0]
    thor = next(card for card in card_set.cards if card.name == "Thor")
    fifth, half = Fraction(1, 5), Fraction(1, 2)
    assert carried_over(thor, fifth, half)[1:] == (4, 6)  # as the official Thor of the 17th Edition
    assert carried_over(thor, fifth, fifth) == (8, 6, 30)
    draft = Drafter(card_set, find(17, home)).draft(thor)
    assert draft is not None
    assert (draft.card.sp, draft.card.hp) == (4, 6)
    assert abs((draft.card.level or 0) - 9) <= 1


def test_a_creature_becomes_a_minion_and_everything_else_in_the_file_stays(tmp_path: Path) -> None:
    text = upgraded(a_set(tmp_path, THOR), 17)
    assert text.startswith(
        "# Gods.\n- name: Thor\n  kind: minion  # of the north\n  draft: true\n  # `thor` was of the 9th"
    )
    assert "  # - left out: `You must sacrifice 3 cards in play to summon this creature.`: " in text
    assert "  level: 8\n  sp: 4\n  hp: 6\n  text: |  # as printed\n    THOR'S HAMMER: Self-destroy 1 random" in text
    assert text.endswith("  text_size: auto\n  flavor: He hammers.\n")


def test_a_minion_becomes_a_creature_without_ultra_points(tmp_path: Path) -> None:
    text = upgraded(a_set(tmp_path, NEW, 17), 11)
    assert "{name: Old Hand, kind: spell, draft: true, cost: " in text
    assert "ultra_points" not in text.replace("level 2, ultra_points 1", "")
    assert "kind: creature\n  draft: true\n" in text
    assert "  cost: auto\n" in text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("cards", [THOR, IN_BRACES, THOR + IN_BRACES, f"[\n{IN_BRACES[2:]}]\n", THOR.rstrip("\n")])
def test_a_draft_is_written_into_files_of_every_style(tmp_path: Path, cards: str, end: str) -> None:
    home = a_set(tmp_path, "\ufeff" + cards.replace("\n", end))
    text = upgraded(home, 11)
    (home / "cards.yaml").write_bytes(text.encode())
    (home / "set.yaml").write_text("name: Mine\nedition: 11\n")
    after = load_sets([home])[0]
    assert all(card.draft for card in after.cards)
    assert text.count("was of the 9th Edition") == len(after.cards)
    assert (end == "\r\n") is ("\r\n" in text)
    assert "\n" not in text.replace("\r\n", "") or end == "\n"


def test_cards_that_share_a_text_get_one_each(tmp_path: Path) -> None:
    card = "- name: {}\n  kind: spell\n  cost: {}\n  text: {}\n"
    shared = card.format("One", 4, "&t Destroy 1 of your cards in play. Draw 3 cards.") + card.format("Two", 9, "*t")
    text = upgraded(a_set(tmp_path, shared), 11)
    assert text.count("  text: |\n    ") == 2


def test_an_own_text_in_another_language_stays_and_the_comment_says_so(tmp_path: Path) -> None:
    text = upgraded(a_set(tmp_path, THOR + "  words:\n    de: {text: Alt.}\n    fr: {name: Torr}\n"), 17)
    assert "  # - its text in `de` below `words` is the old one: write it anew\n" in text
    assert text.endswith("    de: {text: Alt.}\n    fr: {name: Torr}\n")


def test_cards_that_share_keys_are_refused_with_a_way_out(tmp_path: Path) -> None:
    home = a_set(tmp_path, THOR.replace("- name: Thor", "- &thor\n  name: Thor") + "- <<: *thor\n  name: Loki\n")
    done = run("upgrade", str(home), "--to", "11", "--draft")
    assert done.exit_code == 1
    assert "what becomes of `loki` cannot be written: it shares keys or values with another card [K009]" in done.output
    assert "in place of `<<` and `*`" in done.output


def run(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def test_the_command_writes_drafts_once_and_shows_them_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = a_set(tmp_path, THOR)
    (tmp_path / "deck.yaml").write_text("name: Deck\nsets: mine\ncards: {thor: 1}\n")
    without = run("upgrade", "mine", "--to", "11")
    assert "`kotc upgrade --draft` writes a proposal for each card that is to be designed anew" in without.output
    assert (home / "cards.yaml").read_text() == THOR
    dry = run("upgrade", "mine", "--to", "11", "--draft", "--dry-run")
    assert "+  draft: true" in dry.output
    assert (home / "cards.yaml").read_text() == THOR
    done = run("upgrade", "mine", "--to", "11", "--draft")
    assert done.exit_code == 0, done.output
    assert "Mine: 1 drafted" in done.output
    written = (home / "cards.yaml").read_text()
    assert "drafts to judge" in (tmp_path / "out/rebuild-to-11.html").read_text()
    assert "`thor` is a draft [C024]" in run("check", "mine").output
    assert run("check", "mine").exit_code == 0
    again = run("upgrade", "mine", "--to", "11", "--draft")
    assert "nothing to migrate" in again.output
    assert (home / "cards.yaml").read_text() == written


def test_a_text_that_has_no_room_loses_an_ability_and_says_so(tmp_path: Path) -> None:
    home = a_set(tmp_path, OFFICIAL.read_text())
    card_set = load_sets([home])[0]
    lucifer = next(card for card in card_set.cards if card.name == "Lucifer")
    draft = Drafter(card_set, find(11, home)).draft(lucifer)
    assert draft is not None
    assert "DEMONIC EXILE" not in draft.card.text
    assert any(note.endswith("there was no room for it") for note in draft.notes)
