"""Whatever is typed, an editor shows what `check` says of it."""

import shutil
from pathlib import Path

import pytest
from proofs.same_as_check import tried

from render.base.findings import Severity, has_errors
from render.game.cards import GameCard
from render.game.known_cards import SoundCards
from render.lsp.checking import IncrementalCheck
from tests.games.declared.lanterns import CARDS, FILES, FRONT, GAME, SET, SVG, write_files
from tests.support.sets import kotc


def test_a_text_that_is_typed_has_the_findings_of_the_text_that_is_saved() -> None:
    assert tried(count=10, seed=13) == []


def test_a_template_that_is_saved_in_the_folder_of_the_game_is_seen_by_an_editor(tmp_path: Path) -> None:
    write_files(tmp_path / "game", {name: FILES[name] for name in FILES if name not in ("set.yaml", "cards.yaml")})
    write_files(tmp_path / "beasts", {"set.yaml": f"game: ../game\n{SET}", "cards.yaml": CARDS})
    judge = IncrementalCheck()
    assert judge.findings(tmp_path / "beasts", {}) == []
    write_files(tmp_path / "game", {"templates/beast.svg": FRONT.replace("'#885533'", "'brwn'")})
    (found,) = judge.findings(tmp_path / "beasts", {})
    assert (found.code, found.span and found.span.file) == ("T007", tmp_path / "game/templates/beast.svg")


def test_an_icon_that_is_another_file_by_a_saved_game_is_seen_by_an_editor(tmp_path: Path) -> None:
    game = GAME.replace("  wild:", "  cost: {type: icons}\n  wild:").replace("rarity, wild]", "rarity, wild, cost]")
    front = FRONT.replace("{{ card.rarity }}", "{{ card.cost }}")
    icons = {"icons/a.svg": SVG.format("<path d='M0 0h9v9z'/>"), "icons/b.svg": SVG.format("<path fill='rde'/>")}
    cards = CARDS.replace("weight: 300", 'weight: 300, cost: "{a}"')
    files = {**FILES, **icons, "templates/beast.svg": front, "cards.yaml": cards}
    write_files(tmp_path, {**files, "game.yaml": f"{game}icons: {{a: icons/a.svg, b: icons/b.svg}}\n"})
    judge = IncrementalCheck()
    found = judge.findings(tmp_path, {})
    assert [each.code for each in found] == ["T014", "T007"]  # no template shows the rarity, and no card this icon
    assert not has_errors(found)
    write_files(tmp_path, {"game.yaml": f"{game}icons: {{b: icons/a.svg, a: icons/b.svg}}\n"})
    (error,) = [each for each in judge.findings(tmp_path, {}) if each.severity is Severity.ERROR]
    assert (error.code, error.span and error.span.file) == ("T007", tmp_path / "icons/b.svg")


def test_an_editor_knows_the_cards_that_check_knows_and_check_those_of_an_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KOTC_STORE", str(tmp_path / "store"))
    judged: list[str] = []
    judge = SoundCards.judged

    def told(cards: SoundCards, card: GameCard, *, is_sound: bool) -> None:
        judged.append(card.id)
        judge(cards, card, is_sound=is_sound)

    monkeypatch.setattr(SoundCards, "judged", told)
    folder = Path(shutil.copytree(Path("cards/starter"), tmp_path / "starter"))
    spells = folder / "spells.yaml"
    text = spells.read_text(encoding="utf-8")
    assert IncrementalCheck().findings(folder, {}) == []
    assert len(judged) == 33
    judged.clear()
    assert IncrementalCheck().findings(folder, {str(spells): text.replace("name: Tea for Two", "name: Tea")}) == []
    assert judged == ["tea-for-two"]
    assert kotc("check", folder).exit_code == 0
    assert judged == ["tea-for-two"]
    spells.write_text(text.replace("name: Tea for Two", "name: Tea"), encoding="utf-8")
    assert kotc("check", folder).exit_code == 0
    assert judged == ["tea-for-two"], "what was typed is known once it is saved"


def test_what_depends_on_a_set_that_is_not_saved_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOTC_STORE", str(tmp_path / "store"))
    write_files(tmp_path / "set", FILES)
    game, files = tmp_path / "set/game.yaml", Path(tmp_path / "set")
    typed, judge = {str(game): game.read_text(encoding="utf-8").replace("rarity", "rareness")}, IncrementalCheck()
    wrong = judge.findings(files, typed)
    assert has_errors(wrong)
    assert judge.findings(files, {str(game): game.read_text(encoding="utf-8") + "# a line\n"}) == []
    assert not (tmp_path / "store").exists()
    assert judge.findings(files, {str(game): ""}) != []
    assert judge.findings(files, typed) == wrong
    assert judge.findings(files, {}) == []
    assert (tmp_path / "store").exists()
