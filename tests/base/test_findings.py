"""Findings in words: what may stand in them, and how what cannot be seen is shown."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from render.base.findings import Diagnostic, as_json, as_text, printable, quoted, reason
from render.cli.main import main
from tests.support.sets import write_set
from tests.support.templates import place, svg


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "WARNING: stream <_io.BytesIO object at 0x7f993732c220> (object 4 0, offset 98937): expected endstream",
            "object 4 0, offset 98937: expected endstream",
        ),
        ("stream <_io.BytesIO object at 0x7f993732c220>: file is damaged", "file is damaged"),
        ("cannot identify image file <_io.BytesIO object at 0x7f99>", "cannot identify image file"),
        (
            "no sum of <bound method A.b of <C object at 0xFF>>",
            "no sum of <bound method A.b of <C object>>",
        ),
        ("broken\n  data stream.", "broken data stream"),
        ("\x1b[31mred", "\ufffd[31mred"),
    ],
)
def test_what_a_library_says_stands_on_one_line_without_addresses_of_memory(said: str, message: str) -> None:
    assert reason(said) == reason(ValueError(said)) == message


def test_an_error_without_words_is_called_by_its_kind() -> None:
    assert reason(MemoryError()) == "MemoryError"


def test_invisible_signs_of_a_formula_are_shown() -> None:
    assert quoted("(2\u2062x\u2063 1\u20641/2 f\u2061y)") == "`(2·x, 1+1/2 f y)`"


def test_what_else_cannot_be_seen_is_replaced_and_a_byte_that_is_no_utf_8_named() -> None:
    assert printable("a\u200b\u202e\u0007\u00ad") == "a\ufffd\ufffd\ufffd\ufffd"
    assert printable("f\udcfcr.yaml") == "f\\xfcr.yaml"


def test_the_middle_of_endless_words_is_left_out() -> None:
    found = Diagnostic("T001", f"no picture `{'a' * 2_000_000}` in the set", "b" * 5000).at()
    assert len(found.message) == len(found.hint) == 1000
    assert found.message.startswith("no picture `aaa")
    assert found.message.endswith("aaa` in the set")
    assert len(as_text([found])) < 2100
    assert len(as_json([found])) < 2400


@pytest.mark.parametrize("tag", ["include", "import", "extends"])
def test_a_template_whose_name_is_too_long_for_the_disk_is_not_there(tmp_path: Path, tag: str) -> None:
    name = "y" * 300
    words = f"{{% {tag} '{name}.svg' {'as y ' if tag == 'import' else ''}%}}"
    place(write_set(tmp_path, "- {name: Ant, kind: pawn}\n"), {"pawn.svg": svg(words)})
    for more in (("check",), ("pdf", "--out", str(tmp_path / "made.pdf"))):
        result = CliRunner().invoke(main, [*more, str(tmp_path)])
        assert result.exit_code == 1
        assert f"error: there is no template `{'y' * 59}…` [T001]" in result.output


def test_a_back_whose_name_is_too_long_for_the_disk_is_not_there(tmp_path: Path) -> None:
    write_set(tmp_path, "- {name: Ant, kind: pawn}\n", f"name: T\nedition: 17\nback: {'b' * 300}\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert result.exit_code == 1
    assert f"set.yaml:3:7: error: there is no template `{'b' * 59}…` [T001]" in result.output
