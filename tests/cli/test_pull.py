"""`kotc pull`: a published sheet becomes the cards of a set; changes here and there are put together, and none is lost."""

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from render.game.sources import check_sets, load_sets
from tests.support.messages import words
from tests.support.sets import kotc
from tests.support.web_servers import Web, said

GAME = """\
name: Beasts
fields: {power: number, rules: text}
kinds: {beast: {}}
"""
PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">%s</svg>'
FRONT = PLAIN % '<text x="5" y="9" width="50" height="60">{{ card.name }} {{ card.power }} {{ card.rules }}</text>'
SHEET = """\
Name,power,rules,Qty,notes
Wolf,3,Howl.,2,mine
Crow,1,"Fly, or
walk.",1,
Ox,5,,1,
"""
TABLES = "tables: {columns: {Qty: copies}, ignore: [notes]}\n"
Sheet = dict[str, tuple[str, str, str]]
LOCAL = ("--http", "--local")


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.chdir(tmp_path)
    web = Web()
    (tmp_path / "s" / "templates").mkdir(parents=True)
    a_set(f"cards: {web.url}/pub?output=csv\n")
    Path("s/game.yaml").write_text(GAME)
    Path("s/templates/beast.svg").write_text(FRONT)
    Path("s/templates/back.svg").write_text(PLAIN % "")
    publish(web, SHEET)
    yield web
    web.stop()


def a_set(cards: str) -> None:
    Path("s/set.yaml").write_text(f"name: Beasts\n{cards}{TABLES}")


def publish(web: Web, sheet: str) -> None:
    web.answers["/pub?output=csv"] = said(sheet.encode())


def here(old: str, new: str) -> None:
    """Change the file of the set."""
    file = Path("s/cards.csv")
    assert old in file.read_text("utf-8-sig")
    file.write_text(file.read_text("utf-8-sig").replace(old, new))


def pull(*more: str) -> str:
    result = kotc("pull", "s", *LOCAL, *more)
    assert result.exit_code == 0, result.output
    return result.stderr


def refused(*more: str) -> str:
    before = files()
    result = kotc("pull", "s", *LOCAL, *more)
    assert (result.exit_code, files()) == (1, before), result.output
    return words(result.stderr)


def files() -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(Path("s").rglob("*")) if path.is_file()}


def values() -> dict[str, tuple[object, ...]]:
    """Return power, rules and copies of the cards."""
    (card_set,) = load_sets("s")
    return {card.id: (*dict(card.values).values(), card.copies) for card in card_set.cards}  # type: ignore[attr-defined]


def test_the_first_pull_brings_all_cards_and_the_set_goes_on_without_the_web(web: Web) -> None:
    assert "`kotc pull` fetches those of the sheet" in words(kotc("check", "s").stdout)
    assert pull() == "s/cards.csv from 127.0.0.1: 3 cards\n"
    assert Path("s/cards.csv").read_text() == SHEET
    web.stop()
    assert values() == {"wolf": (3, "Howl.", 2), "crow": (1, "Fly, or\nwalk.", 1), "ox": (5, "", 1)}
    assert check_sets("s").findings == ()


def test_what_changed_in_the_sheet_is_told_card_by_card(web: Web) -> None:
    pull()
    assert pull() == "s/cards.csv from 127.0.0.1: no card changed\n"
    publish(web, SHEET.replace("3,Howl.,2,mine", "4,,3,other").replace("Ox,5,,1,", "Bee,1,Hum.,1,"))
    assert pull() == (
        "s/cards.csv from 127.0.0.1: 1 new, 1 changed, 1 deleted\n"
        "  new: bee\n"
        "  wolf: power `3` -> `4`; rules `Howl.` -> nothing; copies `2` -> `3`\n"
        "  deleted: ox\n"
    )
    assert values() == {"wolf": (4, "", 3), "crow": (1, "Fly, or\nwalk.", 1), "bee": (1, "Hum.", 1)}


def test_a_dry_run_tells_the_same_and_writes_nothing(web: Web) -> None:
    pull()
    publish(web, SHEET.replace("Wolf,3", "Wolf,9"))
    before = files()
    said_so = pull("--dry-run")
    assert (said_so.endswith("nothing was written\n"), files()) == (True, before)
    assert said_so.startswith(pull())


def test_changes_here_and_there_are_put_together_field_by_field(web: Web) -> None:
    pull()
    here("Wolf,3,Howl.", "Wolf,7,Howl.")
    here("Ox,5,,1,\n", "Elk,2,Run.,1,\n")
    publish(web, SHEET.replace("3,Howl.", "3,Bark.").replace("Crow,1", "Crow,2") + "Bee,1,Hum.,1,\n")
    assert pull() == (
        "s/cards.csv from 127.0.0.1: 1 new, 2 changed\n"
        "  new: bee\n"
        "  wolf: rules `Howl.` -> `Bark.`\n"
        "  crow: power `1` -> `2`\n"
        "  stays as it is here: wolf (power)\n"
        "  stays as it is here: ox (deleted)\n"
        "  stays as it is here: elk (new)\n"
    )
    assert values() == {
        "wolf": (7, "Bark.", 2), "crow": (2, "Fly, or\nwalk.", 1), "bee": (1, "Hum.", 1), "elk": (2, "Run.", 1),
    }  # fmt: skip
    assert "no card changed" in pull()
    assert values()["wolf"] == (7, "Bark.", 2)


def test_a_column_and_rows_of_the_file_alone_stay(web: Web) -> None:
    pull()
    text = "".join(
        f"{line},{word}\n" for line, word in zip(SHEET.splitlines(), ["# idea", "a", "", "", "b"], strict=True)
    )
    Path("s/cards.csv").write_text(text.replace('"Fly, or,\nwalk."', '"Fly, or\nwalk."') + ",,no name yet,,,\n")
    publish(web, SHEET.replace("Wolf,3", "Wolf,4"))
    pull()
    table = Path("s/cards.csv").read_text("utf-8-sig")
    assert table.splitlines()[:2] == ["Name,power,rules,Qty,notes,# idea", "Wolf,4,Howl.,2,mine,a"]
    assert ",,no name yet,,," in table


@pytest.mark.parametrize(
    ("old", "new", "there", "told"),
    [
        ("Wolf,3", "Wolf,4", ("Wolf,3", "Wolf,5"),
         "s/cards.csv, cell B2: error: the card `wolf` has changed here and in the sheet: `power` is `4` here and `5` in"
         " the sheet; it was `3` [N017]"),
        ("Ox,5,,1,\n", "", ("Ox,5", "Ox,6"), "the card `ox` was deleted here and changed in the sheet"),
        ("Ox,5", "Ox,6", ("Ox,5,,1,\n", ""), "the card `ox` was changed here and deleted in the sheet"),
        ("Ox,5,,1,\n", "Ox,5,,1,\nBee,1,,1,\n", ("Ox,5,,1,\n", "Ox,5,,1,\nBee,2,,1,\n"), "`power` is `1` here and `2` in the sheet"),
    ],
)  # fmt: skip
def test_what_was_changed_here_and_there_is_told_and_nothing_is_written(
    web: Web, old: str, new: str, there: tuple[str, str], told: str
) -> None:
    pull()
    here(old, new)
    publish(web, SHEET.replace(*there).replace("Crow,1", "Crow,8"))
    assert told in refused()
    here(new, old) if old and new else Path("s/cards.csv").unlink()
    pull()
    assert values()["crow"][0] == 8


SHEETS = st.dictionaries(
    st.sampled_from("abcd"), st.tuples(st.just("yes"), st.sampled_from("123"), st.sampled_from(["", "x"]))
)


def cells(sheet: Sheet) -> dict[tuple[str, int], str]:
    """Return what a table says of each card, and whether it has it."""
    return {(name, at): sheet.get(name, ("", "", ""))[at] for name in "abcd" for at in range(3)}


@given(SHEETS, SHEETS, SHEETS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_change_of_either_side_is_lost(web: Web, base: Sheet, mine: Sheet, theirs: Sheet) -> None:
    def as_csv(sheet: Sheet) -> str:
        rows = [f"{name},{power},{rules}\n" for name, (_, power, rules) in sheet.items()]
        return "".join(["name,power,rules\n", *rows, "z,1,\n"])

    shutil.rmtree("s/.kotc", ignore_errors=True)
    Path("s/cards.csv").unlink(missing_ok=True)
    publish(web, as_csv(base))
    pull()
    Path("s/cards.csv").write_text(as_csv(mine))
    publish(web, as_csv(theirs))
    result = kotc("pull", "s", *LOCAL)
    before, here, there = map(cells, (base, mine, theirs))
    changed_twice = [key for key in before if before[key] not in (here[key], there[key]) and here[key] != there[key]]
    if result.exit_code:
        assert changed_twice or (base.keys() - mine.keys()) | (base.keys() - theirs.keys())
        assert Path("s/cards.csv").read_text() == as_csv(mine)
        return
    assert changed_twice == []
    table = csv.reader(Path("s/cards.csv").read_text("utf-8-sig").splitlines())
    after = cells({row[0]: ("yes", row[1], row[2]) for row in table})
    assert after == {key: there[key] if here[key] == before[key] else here[key] for key in before}


def test_the_same_change_on_both_sides_is_no_conflict(web: Web) -> None:
    pull()
    here("Wolf,3", "Wolf,4")
    publish(web, SHEET.replace("Wolf,3", "Wolf,4"))
    assert "no card changed" in pull()
    assert Path("s/cards.csv").read_text() == SHEET.replace("Wolf,3", "Wolf,4")


def test_a_file_that_was_there_before_the_first_pull_is_not_overwritten(web: Web) -> None:
    Path("s/cards.csv").write_text(SHEET.replace("Wolf,3", "Wolf,4"))
    assert "`power` is `4` here and `3` in the sheet" in refused()
    Path("s/cards.csv").unlink()
    assert "3 cards" in pull()


def test_several_tabs_are_several_files_and_one_that_fails_leaves_all_as_they_were(web: Web) -> None:
    a_set(f"cards: {{big.csv: '{web.url}/big', small.csv: '{web.url}/small'}}\n")
    web.answers |= {"/big": said(b"name,power\nOx,5\n"), "/small": said(b"name,power\nAnt,0\n")}
    assert pull() == "s/big.csv from 127.0.0.1: 1 card\ns/small.csv from 127.0.0.1: 1 card\n"
    assert sorted(values()) == ["ant", "ox"]
    web.answers |= {"/big": said(b"name,power\nOx,6\n"), "/small": said(b"", 404)}
    assert "s/set.yaml:2" in (told := refused()) and "answers `404 Not Found`" in told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<!DOCTYPE html><p>Sign in", "answers with a web page, and not with CSV"),
        (b"name,power\n", "the sheet holds no cards"),
        (b"power,rules\n1,2\n", "the sheet holds no cards"),
        (b"", "the file is empty"),
        (b"\xff\xfe\x00\x00\xff", "the file is no text"),
    ],
)
def test_what_is_no_table_of_cards_takes_the_place_of_none(web: Web, body: bytes, told: str) -> None:
    pull()
    web.answers["/pub?output=csv"] = said(body)
    assert told in refused()


def test_this_machine_is_asked_only_where_the_user_says_so(web: Web) -> None:
    for flags, told in (((), "asked by http://"), (("--http",), "on this machine or in its own network")):
        result = kotc("pull", "s", *flags)
        assert (result.exit_code, told in words(result.stderr), web.asked) == (1, True, [])


def test_a_key_comes_from_the_environment_and_goes_only_where_nobody_reads_it(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_set(f"cards: {web.url}/x?key=${{KOTC_KEY_SHEET}}\n")
    assert "the environment has no `KOTC_KEY_SHEET`" in refused()
    monkeypatch.setenv("KOTC_KEY_SHEET", "hidden&seen")
    assert "asked by http://" in (told := refused()) and "hidden" not in told
    a_set(f"cards: {web.url.replace('http', 'https')}/x?key=${{HOME}}\n")
    assert "`HOME` is no key for a sheet" in refused()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cards: [Dog]\n", "`cards` of set.yaml is the address of a published sheet, and holds no cards [S003]"),
        ("cards: sheet.csv\n", "and holds no cards [S003]"),
        ("cards: {../x.csv: 'https://a.b/c'}\n", "expected the name of a CSV file in the folder of the set"),
        ("cards: {x.xlsx: 'https://a.b/c'}\n", "expected the name of a CSV file in the folder of the set"),
    ],
)
def test_what_is_no_published_sheet_is_told_in_every_command(web: Web, line: str, told: str) -> None:
    a_set(line)
    assert told in words(kotc("check", "s").stdout)
    assert kotc("pull", "s", *LOCAL).exit_code == 1
    assert web.asked == []


def test_a_set_without_a_sheet_says_what_to_write(web: Web) -> None:
    a_set("")
    result = kotc("pull", "s")
    assert (result.exit_code, "no set here names a published sheet" in words(result.stderr)) == (2, True)


def build(*more: str) -> tuple[int, str]:
    result = kotc("build", "s", "--no-store", *more)
    return result.exit_code, " ".join(result.stderr.split())


def test_a_build_pulls_first_if_asked_and_says_card_by_card_what_changed(web: Web) -> None:
    status, told = build("--pull", *LOCAL)
    assert (status, told.startswith("s/cards.csv from 127.0.0.1: 3 cards Beasts: 3 PNGs")) == (0, True), told
    publish(web, SHEET.replace("Wolf,3", "Wolf,4"))
    assert "1 changed" not in build()[1]
    status, told = build("--pull", *LOCAL)
    assert (status, "s/cards.csv from 127.0.0.1: 1 changed wolf: power `3` -> `4` Beasts: " in told) == (0, True), told
    assert values()["wolf"][0] == 4


def test_a_build_that_cannot_pull_makes_the_cards_that_are_there_and_ends_with_an_error(web: Web) -> None:
    pull()
    publish(web, SHEET.replace("Wolf,3", "Wolf,5"))
    here("Wolf,3", "Wolf,4")
    kept = "s: nothing was pulled; the cards that lie there are used as they are"
    status, told = build("--pull", *LOCAL)
    assert (status, "[N017]" in told, f"{kept} Beasts: 3 PNGs" in told) == (1, True, True), told
    web.stop()
    status, told = build("--pull", *LOCAL)
    assert (status, "`127.0.0.1` cannot be reached" in told, f"{kept} Beasts: 3 PNGs" in told) == (1, True, True), told
    assert Path("out/s/png/wolf.png").is_file() and values()["wolf"][0] == 4


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--http"], "--http needs --pull"),
        (["--local"], "--local needs --pull"),
        (["--pull", "--dry-run"], "`kotc pull --dry-run` says what it would"),
        (["--pull", "--verify"], "--verify builds nothing: leave out --pull"),
    ],
)
def test_a_build_that_writes_no_cards_pulls_none(web: Web, flags: list[str], told: str) -> None:
    status, said_so = build(*flags)
    assert (status, told in said_so, web.asked) == (2, True, [])


def test_a_deck_pulls_the_cards_of_its_sets(web: Web) -> None:
    Path("two.yaml").write_text("name: Two\ngame: s\nsets: [s]\ncards: {wolf: 1, ox: 1}\n")
    result = kotc("build", "two.yaml", "--no-store", "--pull", *LOCAL)
    assert result.stderr.startswith("s/cards.csv from 127.0.0.1: 3 cards\nTwo: 2 PNGs"), result.output
