"""GIMP files become cards; imported once more, cards are brought up to date, and what people changed stays."""

import bz2
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from proofs.imported_names import faults, names

import render
from tests.support.picture_files import ADOBE_RGB
from tests.support.sets import kotc
from tests.support.xcf_files import Array, MadeLayer, card_layers, picture, said, xcf

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = """\
name: Old Wolf
kind: creature
cost: 5
offense: 3
defense: 10
text: |
  HOWL: Draw 1 card.
text_size: 6.12
flavor: Howls.
flavor_size: 3.96
art: art/old-wolf.png
"""
SET = "name: My Wolves\nedition: 9\ncredit: Card design by A. Author, CC0.\n"


def wolf(file: str = "wolf.xcf", /, **changes: MadeLayer | None) -> None:
    """Write the file of a creature of 100 x 140 pixels."""
    Path(file).write_bytes(xcf(card_layers(**changes)))


def imported(*files: str, code: int = 0, options: tuple[str, ...] = ()) -> str:
    """Import files into the set `my-wolves`; return what the command says."""
    result = kotc("import", *(files or ("wolf.xcf",)), "--to", "my-wolves", *options)
    assert result.exit_code == code, result.output
    return result.stderr


def text_layer(name: str, words: str, **how: object) -> MadeLayer:
    return MadeLayer(name=name, text=said(words, **how))  # type: ignore[arg-type]


def card() -> str:
    return Path("my-wolves/old-wolf.yaml").read_text(encoding="utf-8")


def art(name: str = "old-wolf") -> Array:
    with Image.open(f"my-wolves/art/{name}.png") as opened:
        return np.asarray(opened)


def write_card(text: str) -> None:
    Path("my-wolves/old-wolf.yaml").write_text(text, encoding="utf-8")


# --- new cards ------------------------------------------------------------------------------------------------------


def test_a_gimp_file_becomes_a_card_file_a_picture_and_a_set() -> None:
    wolf()
    assert imported() == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"
    assert card() == CARD
    assert Path("my-wolves/set.yaml").read_text(encoding="utf-8") == SET
    assert np.array_equal(art(), picture(90, 56)[:, :, :3])
    assert "1 card checked" in kotc("check", "my-wolves").output
    before = tree()
    assert imported() == "1 file, 0 cards written, 1 checked: 1 unchanged in my-wolves\n"
    assert tree() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name may be any bytes")
@pytest.mark.parametrize("name", [b"m\xff", b"m\x7f", "m\ufeff".encode()])
def test_names_of_files_and_folders_need_not_be_words(name: bytes) -> None:
    wolf(f"{os.fsdecode(name)}.xcf")
    for outcome in ("1 new", "1 unchanged"):
        result = kotc("import", f"{os.fsdecode(name)}.xcf", "--to", os.fsdecode(name))
        assert (result.exit_code, outcome in result.stderr) == (0, True)
    assert "1 card checked" in kotc("check", os.fsdecode(name)).output
    assert Path(os.fsdecode(name), "set.yaml").read_text(encoding="utf-8").startswith("name: M\n")


def test_a_value_that_keys_share_stays_and_is_named() -> None:
    wolf()
    imported()
    shared = card().replace("cost: 5", "cost: &n 5") + "copies: *n\n"
    write_card(shared)
    wolf(cost=text_layer("Cost", "7", size=10), flavor=None)
    assert "`my-wolves/old-wolf.yaml` cannot be changed: `cost` [X015]" in imported(code=1)
    assert card() == shared


def test_an_import_that_was_killed_is_finished_by_the_next() -> None:
    wolf()
    imported()
    whole = tree()
    for file in Path("my-wolves").iterdir():  # pictures are written first
        if file.is_file():
            file.unlink()
    Path("my-wolves/art/.old-wolf.png.kotc-999999999-89abcdef.old").touch()
    assert "1 new" in imported()
    assert tree() == whole


def test_a_file_that_is_named_by_several_paths_gives_one_card() -> None:
    wolf()
    file = Path("wolf.xcf")
    Path("link.xcf").symlink_to(file)
    said = imported(str(file), f"./{file}", str(file.resolve()), "link.xcf")
    assert said == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"


def test_a_card_of_later_editions_is_a_minion_with_sp_hp_level_and_ultra_points() -> None:
    wolf(
        edition=text_layer("Edition Indicator", "16th Edition"),
        ultra=text_layer("Ultra Points", "2"),
        credit=None,
        flavor=None,
        text=None,
        picture=None,
    )
    imported()
    assert card() == "name: Old Wolf\nkind: minion\nlevel: 5\nultra_points: 2\nsp: 3\nhp: 10\n"


def test_a_spell_has_only_a_cost_and_a_tip_no_edition() -> None:
    hidden = MadeLayer(name="Offense", text=said("0"), visible=False)
    template = MadeLayer(name="Spell Template", size=(100, 140))
    wolf("spell.xcf", name=text_layer("Name", "Zap"), other=None, template=template, offense=hidden, defense=None)
    wolf("tip.xcf", name=text_layer("Name", "Note"), other=None, edition=None, offense=None, defense=None, cost=None,
         template=MadeLayer(name="Tip Card Template", size=(100, 140)), picture=None)  # fmt: skip
    assert "the size of the text, 6.12 pt, is left out: tips have a box of their own [X023]" in imported(
        "spell.xcf", "tip.xcf"
    )
    found = [Path(f"my-wolves/{name}.yaml").read_text(encoding="utf-8") for name in ("zap", "note")]
    assert found[0].startswith("name: Zap\nkind: spell\ncost: 5\ntext: |\n")
    assert found[1].startswith("name: Note\nkind: tip\nedition: none\ntext: |\n")


def test_paragraphs_become_lines_and_quotes_and_colons_stay() -> None:
    words = 'This: "creature" cannot attack.\n\n  HOWL:  Draw 1 card. # not a comment\n'
    wolf(text=text_layer("Effect Text", words), flavor=text_layer("Flavor Text", 'Quote:\n"It\'s" # no'))
    imported()
    (read,) = render.load_sets("my-wolves")[0].cards
    assert (read.text, read.flavor) == (  # type: ignore[attr-defined]
        'This: "creature" cannot attack.\nHOWL: Draw 1 card. # not a comment',
        'Quote: "It\'s" # no',
    )


def test_a_new_set_is_named_after_its_folder() -> None:
    wolf()
    assert kotc("import", "wolf.xcf", "--to", "größe's_GIMP-cards").exit_code == 0
    assert Path("größe's_GIMP-cards/set.yaml").read_text("utf-8").startswith("name: Größe's GIMP Cards\n")


def test_small_texts_give_the_new_set_a_smaller_least_size() -> None:
    wolf(text=text_layer("Effect Text", "HOWL: Draw 1 card.", size=2.19))
    imported()
    assert Path("my-wolves/set.yaml").read_text(encoding="utf-8") == f"{SET}least_text: 3.9\n"
    assert "text_size: 3.94" in card()
    Path("my-wolves/set.yaml").write_text(SET, encoding="utf-8")
    told = imported()
    assert "write `least_text: 3.9` in it" in told
    assert "warning: expected a size in pt from 5 to 24 or `auto`, found `3.94` [C006]" in told


def test_a_name_of_unusual_size_and_spacing_keeps_both() -> None:
    spaced = said("Old Wolf", 5.7) + "(letter-spacing -0.500000)\n"
    wolf(name=MadeLayer(name="Name", text=spaced))
    imported()
    assert card().startswith("name: Old Wolf\nname_size: 10.26\nname_spacing: -0.9\n")
    assert "name_s" not in kotc("check", "my-wolves").output


def test_a_card_without_credit_does_not_get_that_of_the_set() -> None:
    for number in range(2):
        wolf(f"{number}.xcf", name=text_layer("Name", f"Wolf {number}"))
    wolf("bare.xcf", name=text_layer("Name", "Wolf 2"), credit=None)
    assert "3 files, 3 cards written, 3 checked: 3 new in my-wolves\n" in imported("0.xcf", "1.xcf", "bare.xcf")
    credits_of = {each.name: each.credit for each in render.load_sets("my-wolves")[0].cards}  # type: ignore[attr-defined]
    assert credits_of == dict.fromkeys(("Wolf 0", "Wolf 1"), "Card design by A. Author, CC0.") | {"Wolf 2": ""}
    assert "3 unchanged" in imported("0.xcf", "1.xcf", "bare.xcf")


def test_author_and_license_are_taken_from_text_layers_with_their_corner() -> None:
    white = "(color-rgb 1.000000 1.000000 1.000000)"
    wolf(
        author=MadeLayer(name="Image Author", text=said("A. Painter", color=white), at=(80, 20)),
        license=MadeLayer(name="Image License", text=said("CC0"), at=(80, 30)),
    )
    imported()
    assert card().endswith(
        "art:\n  file: art/old-wolf.png\n  author: A. Painter\n  license: CC0\n  corner: top-right\n"
    )


def test_cards_of_one_set_that_differ_from_it_say_so() -> None:
    wolf()
    wolf("bear.xcf", name=text_layer("Name", "Bear"), edition=text_layer("Edition Indicator", "10th Edition"))
    wolf("boar.xcf", name=text_layer("Name", "Boar"))
    imported("bear.xcf", "boar.xcf", "wolf.xcf")
    assert "edition: 10\n" in Path("my-wolves/bear.yaml").read_text(encoding="utf-8")
    assert Path("my-wolves/set.yaml").read_text(encoding="utf-8") == SET


# --- pictures -------------------------------------------------------------------------------------------------------


def put(pixels: Array, at: tuple[int, int]) -> MadeLayer:
    return MadeLayer(name="Image", pixels=pixels, at=at)


def test_a_slim_picture_in_the_middle_stays_whole() -> None:
    wolf(picture=put(picture(40, 56), (30, 17)))
    imported()
    assert art().shape == (56, 40, 3)
    assert "art: art/old-wolf.png\n" in card()


def test_a_wide_picture_whose_sides_the_frame_hides_stays_whole_and_covers_the_box() -> None:
    wolf(picture=put(picture(120, 56), (-10, 17)))
    imported()
    assert art().shape == (56, 120, 3)
    assert "  fit: cover\n" in card()


def test_any_other_picture_is_cut_and_padded_to_what_the_card_shows() -> None:
    pixels = picture(60, 100)
    wolf(picture=put(pixels, (50, 20)))
    assert "the picture is cut to the 45 x 53 of 60 x 100 pixels that the card shows [X025]" in imported()
    found = art()
    assert found.shape == (56, 90, 4)
    assert np.array_equal(found[3:, 45:], pixels[:53, :45])
    assert not found[:3].any()
    assert not found[:, :45].any()


def test_a_picture_outside_its_box_is_left_out() -> None:
    wolf(picture=put(picture(10, 10), (40, 120)))
    assert "the layer `Image` is left out: it lies outside the box for the picture [X020]" in imported()
    assert "art:" not in card()


def test_opacity_and_masks_are_in_the_picture_and_modes_are_left_out() -> None:
    mask = np.full((56, 90), 128, np.uint8)
    wolf(picture=MadeLayer(name="Image", pixels=picture(90, 56), at=(5, 17), mask=mask, mode=30))
    assert "the mode `multiply` of the layer `Image` counts as normal [X024]" in imported()
    assert set(np.unique(art()[:, :, 3])) == {128}


def test_layers_upon_the_picture_become_part_of_it() -> None:
    badge = np.full((10, 20, 4), 255, np.uint8)
    wolf(
        badge=MadeLayer(name="CC BY", pixels=badge, at=(10, 20)),
        other=MadeLayer(name="far", pixels=badge, at=(40, 120)),
        picture=None,
        below=put(picture(90, 56), (5, 17)),
    )
    told = imported()
    assert "in the box for the picture, `CC BY` became part of it [X032]" in told
    assert "the layer `far` is left out" in told
    wanted = picture(90, 56)[:, :, :3].copy()
    wanted[3:13, 5:25] = 255
    assert np.array_equal(art(), wanted)


def test_a_layer_of_any_name_that_fills_the_box_is_the_picture() -> None:
    wolf(picture=MadeLayer(name="wolf-photo.jpg", pixels=picture(90, 56), at=(5, 17)))
    assert "in the box for the picture, `wolf-photo.jpg` became part of it [X032]" in imported()
    assert np.array_equal(art(), picture(90, 56)[:, :, :3])


def test_a_picture_of_16_bits_keeps_them() -> None:
    pixels = picture(90, 56, 4, "uint16")
    layers = [
        MadeLayer(name=each.name, text=each.text, size=each.size, at=each.at, visible=each.visible)
        for each in card_layers(picture=None)
    ]
    Path("wolf.xcf").write_bytes(xcf([put(pixels, (5, 17)), *layers], version=12))
    imported()
    header = Path("my-wolves/art/old-wolf.png").read_bytes()[24:26]
    assert header == bytes([16, 2])


# --- what differs from the rules, and what is left out ----------------------------------------------------------------

RED = '<markup>{}<span foreground="#800000">{}</span>{}</markup>'


def test_red_words_that_differ_from_the_rules_are_told() -> None:
    words = (
        "HOWL: ",
        "Activate when this card is damaged.",
        " Draw 1 card.\n\nBITE: Activate when it rains. Draw 1 card.",
    )
    wolf(text=MadeLayer(name="Effect Text", text=said(RED.format(*words), 3.4, markup=True)))
    told = imported()
    assert "`Activate when it rains.` is black in the file and red by the rules [X022]" in told
    assert told.count("[X022]") == 1
    wolf(text=MadeLayer(name="Effect Text", text=said(RED.format("HOWL: ", "Draw 1", " card."), 3.4, markup=True)))
    assert "`Draw 1` is red in the file and black by the rules [X022]" in imported()


def test_a_color_profile_goes_into_the_picture() -> None:
    Path("wolf.xcf").write_bytes(xcf(card_layers(), profile=ADOBE_RGB))
    imported()
    with Image.open("my-wolves/art/old-wolf.png") as opened:
        assert opened.info["icc_profile"] == ADOBE_RGB


BOLD = said("<markup>So <b>loud</b></markup>", 2.2, markup=True)


@pytest.mark.parametrize(
    ("changes", "facts", "of_card"),
    [
        (
            {"lock": MadeLayer(name="Play Restriction", size=(100, 140))},
            ["the file shows a padlock, and the rules give none [X022]"], CARD,
        ),
        (
            {"sticker": MadeLayer(name="Sticker"), "hidden": MadeLayer(name="Sketch", visible=False)},
            ["warning: the layer `Sticker` is left out: no key of a card file is for it [X020]"], CARD,
        ),
        (
            {"flavor": MadeLayer(name="Flavor Text", text=said("Howls.", 2.2), painted_on=True)},
            ["the layer `Flavor Text` was painted on, and may show other words than its text [X031]"], CARD,
        ),
        (
            {"cost": text_layer("Cost", "five", size=10)},
            ["warning: `old-wolf` has no `cost` [C004]", "the layer `Cost` says `five`, which is no whole number [X021]"],
            CARD.replace("cost: 5\n", ""),
        ),
        (
            {"edition": text_layer("Edition Indicator", "9th Edition, 2nd print")},
            ["the layer `Edition Indicator` says `9th Edition, 2nd print`, which is no edition [X021]"],
            CARD.replace("creature\n", "creature\nedition: none\n"),
        ),
        (
            {"flavor": MadeLayer(name="Flavor Text", text=BOLD)},
            ["`b` of words of the flavor is left out [X023]"], CARD.replace("Howls.", "So loud"),
        ),
        (
            {"flavor": text_layer("Flavor Text", "Ho\x1b[2J\u202ewls\u00a0now.", size=2.2)},
            ["the layer `Flavor Text` has U+001B, U+202E, which cannot be printed: left out [X030]"],
            CARD.replace("Howls.", "Ho[2Jwls\u00a0now."),
        ),
    ],
    ids=["padlock", "sticker", "painted on", "no number", "no edition", "bold", "unprintable"],
)  # fmt: skip
def test_what_is_not_on_the_card_is_told_and_left_out(
    changes: dict[str, MadeLayer], facts: list[str], of_card: str
) -> None:
    wolf(**changes)
    told = imported()
    assert [fact for fact in facts if fact not in told] == []
    assert "Sketch" not in told
    assert card() == of_card


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"template": None}, "`wolf.xcf` shows no layer such as `Creature Template` [X012]"),
        (
            {"other": MadeLayer(name="Spell Template", size=(100, 140))},
            "`wolf.xcf` shows `Creature Template` and `Spell Template` [X012]",
        ),
        ({"name": None}, "`wolf.xcf` has no visible text layer `Name` [X013]"),
    ],
)
def test_a_file_that_is_no_card_is_an_error(changes: dict[str, MadeLayer | None], message: str) -> None:
    wolf(**changes)
    assert f"error: {message}\n" in imported(code=1)
    assert not Path("my-wolves").exists()


def test_a_broken_file_gives_no_card_and_the_others_do() -> None:
    wolf()
    Path("broken.xcf").write_bytes(Path("wolf.xcf").read_bytes()[:500])
    Path("photo.bmp").write_bytes(b"BM123")
    told = imported("broken.xcf", "wolf.xcf", "photo.bmp", code=1)
    assert [code in told for code in ("[X002]", "[X011]")] == [True] * 2
    assert "3 files, 1 card written, 1 checked: 1 new in my-wolves" in told
    assert card() == CARD


def test_two_cards_of_one_name_get_ids_of_their_own() -> None:
    wolf()
    wolf("wolf_2.xcf", cost=text_layer("Cost", "6", size=10))
    told = imported("wolf.xcf", "wolf_2.xcf")
    assert "`wolf_2.xcf` gives a card with the id `old-wolf`, and so does `wolf.xcf` [X014]" in told
    assert "it gets the id `wolf-2`" in told
    other = Path("my-wolves/wolf-2.yaml").read_text(encoding="utf-8")
    assert card() == CARD
    assert other == "id: wolf-2\n" + CARD.replace("cost: 5", "cost: 6").replace("art/old-wolf", "art/wolf-2")
    assert "2 files, 0 cards written, 2 checked: 2 unchanged in my-wolves" in imported("wolf.xcf", "wolf_2.xcf")
    wolf("wolf_2.xcf", cost=text_layer("Cost", "7", size=10))
    assert "1 file, 1 card written, 1 checked: 1 changed in my-wolves" in imported("wolf_2.xcf")
    assert card() == CARD
    Path("more").mkdir()
    wolf("more/wolf_2.xcf")
    files = ("wolf.xcf", "wolf_2.xcf", "more/wolf_2.xcf")
    assert "`more/wolf_2.xcf` gives a card with the id `old-wolf`" in imported(*files)
    before = tree()
    assert imported(*files) == "3 files, 0 cards written, 3 checked: 3 unchanged in my-wolves\n"
    assert tree() == before


def test_no_name_of_a_card_costs_another_card_its_file(tmp_path: Path) -> None:
    assert [*faults(tmp_path / "names", names(60))] == []
    for name in ("Set", "Game", "Deck", "CON", "."):
        assert [*faults(tmp_path / f"alone {name}", [name])] == []


@pytest.mark.parametrize("second", ["old wolf", "Old-Wolf!", "O\u0301ld Wolf"])
def test_a_card_whose_name_gives_the_same_id_is_another_card_in_a_later_import_too(second: str) -> None:
    wolf()
    imported()
    wolf("second.xcf", name=text_layer("Name", second))
    assert "1 file, 1 card written, 1 checked: 1 new in my-wolves" in imported("second.xcf")
    assert card() == CARD
    assert imported("wolf.xcf", "second.xcf").endswith("2 checked: 2 unchanged in my-wolves\n")


def test_files_of_one_name_in_two_folders_are_two_cards() -> None:
    for place, name in (("a", "Old Wolf"), ("b", "Cub")):
        Path(place).mkdir()
        pixels = put(picture(90, 56)[:: 1 if place == "a" else -1], (5, 17))
        wolf(f"{place}/wolf.xcf", name=text_layer("Name", name), picture=pixels)
        assert imported(f"{place}/wolf.xcf") == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"
    assert card() == CARD
    assert imported("b/wolf.xcf", "a/wolf.xcf") == "2 files, 0 cards written, 2 checked: 2 unchanged in my-wolves\n"


def test_a_card_that_is_renamed_as_another_keeps_its_id() -> None:
    wolf()
    wolf("cub.xcf", name=text_layer("Name", "Cub"))
    imported("wolf.xcf", "cub.xcf")
    wolf("cub.xcf", name=text_layer("Name", "Old Wolf!"))
    assert imported("wolf.xcf", "cub.xcf").endswith("2 checked: 1 changed, 1 unchanged in my-wolves\n")
    assert Path("my-wolves/cub.yaml").read_text("utf-8").startswith("name: Old Wolf!\n")
    assert [each.id for each in render.load_sets("my-wolves")[0].cards] == ["cub", "old-wolf"]


def test_a_card_that_was_deleted_comes_back_with_its_picture() -> None:
    wolf()
    imported()
    before = tree()
    Path("my-wolves/old-wolf.yaml").unlink()
    assert imported() == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"
    assert tree() == before
    Path("my-wolves/old-wolf.yaml").unlink()
    wolf(picture=put(picture(90, 56)[::-1], (5, 17)))
    imported()
    assert tree().keys() == before.keys()


def test_a_new_card_does_not_show_a_picture_that_lies_there() -> None:
    wolf()
    Path("my-wolves/art").mkdir(parents=True)
    Path("my-wolves/art/Old-Wolf.png").write_bytes(b"mine")
    assert imported() == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"
    assert card() == CARD.replace("art/old-wolf.png", "art/old-wolf-2.png")


# --- once more ------------------------------------------------------------------------------------------------------


def tree() -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(Path("my-wolves").rglob("*")) if file.is_file()}


def test_a_changed_file_changes_only_its_keys_and_comments_stay() -> None:
    wolf()
    imported()
    commented = "# My best card.\n" + card().replace("cost: 5\n", "cost: 5  # cheap\n").replace(
        "flavor:", "# loud\nflavor:"
    )
    write_card(commented + "copies: 3\n# the end\n")
    wolf(
        cost=text_layer("Cost", "6", size=10),
        text=text_layer("Effect Text", "HOWL: Draw 2 cards.\n\nBITE: Draw 1 card.", size=3.4),
    )
    assert imported() == "1 file, 1 card written, 1 checked: 1 changed in my-wolves\n"
    wanted = commented.replace("cost: 5 ", "cost: 6 ").replace("Draw 1 card.", "Draw 2 cards.\n  BITE: Draw 1 card.")
    assert card() == wanted + "copies: 3\n# the end\n"


def test_keys_that_a_person_changed_stay_and_are_told() -> None:
    wolf()
    imported()
    write_card(card().replace("cost: 5", "cost: 4").replace("flavor: Howls.\n", ""))
    wolf(cost=text_layer("Cost", "6", size=10), flavor=text_layer("Flavor Text", "Barks.", size=2.2))
    told = imported()
    assert "`cost` of `old-wolf` stays `4`, changed by hand; now it is `6` [X027]" in told
    assert "`flavor` of `old-wolf` stays left out, changed by hand; now it is `Barks.` [X027]" in told
    assert card() == CARD.replace("cost: 5", "cost: 4").replace("flavor: Howls.\n", "")


def test_keys_that_a_person_changed_stay_silently_while_the_file_says_the_same() -> None:
    wolf()
    imported()
    changed = CARD.replace("cost: 5", "cost: 4").replace(
        "art: art/old-wolf.png", "art: {file: art/old-wolf.png, author: Me}"
    )
    write_card(changed)
    assert imported() == "1 file, 0 cards written, 1 checked: 1 unchanged in my-wolves\n"
    assert card() == changed


def test_a_key_that_the_file_no_longer_has_goes_and_a_new_one_comes_in_its_place() -> None:
    wolf(flavor=None)
    imported()
    wolf(credit=None, text=None)
    imported()
    gone = CARD.replace("text: |\n  HOWL: Draw 1 card.\ntext_size: 6.12\n", "")
    assert card() == f'{gone}credit: ""\n'


def test_a_card_may_move_into_a_list_and_be_renamed() -> None:
    wolf()
    imported()
    Path("my-wolves/old-wolf.yaml").unlink()
    lines = [f"  {line}\n" for line in CARD.splitlines()]
    Path("my-wolves/all.yaml").write_text(
        "- {name: Cub, kind: pawn}\n-" + "".join(lines)[1:] + "# end\n", encoding="utf-8"
    )
    wolf(name=text_layer("Name", "New Wolf"), cost=text_layer("Cost", "7", size=10))
    assert imported() == "1 file, 1 card written, 1 checked: 1 changed in my-wolves\n"
    found = Path("my-wolves/all.yaml").read_text(encoding="utf-8")
    assert (
        found
        == "- {name: Cub, kind: pawn}\n-"
        + "".join(lines)[1:].replace("Old", "New").replace("cost: 5", "cost: 7")
        + "# end\n"
    )


@pytest.mark.parametrize("kept", ["my-wolves/old-wolf.yaml", "my-wolves/other.yaml"])
def test_a_card_that_a_person_renamed_is_not_doubled(kept: str) -> None:
    wolf()
    imported()
    changed = card().replace("Old Wolf", "Grey Wolf")
    Path("my-wolves/old-wolf.yaml").unlink()
    Path(kept).write_text(changed, encoding="utf-8")
    wolf(cost=text_layer("Cost", "6", size=10))
    for outcome in ("changed", "unchanged"):
        assert imported().endswith(f" written, 1 checked: 1 {outcome} in my-wolves\n")
        assert Path(kept).read_text(encoding="utf-8") == changed.replace("cost: 5", "cost: 6")
    assert [file.name for file in Path("my-wolves").glob("*.yaml")].count("set.yaml") == 1
    assert len([*Path("my-wolves").glob("*.yaml")]) == 2


def test_a_card_of_another_file_keeps_what_that_does_not_say() -> None:
    wolf()
    imported()
    wolf("later.xcf", cost=text_layer("Cost", "6", size=10), flavor=None)
    assert imported("later.xcf") == "1 file, 1 card written, 1 checked: 1 changed in my-wolves\n"
    assert card() == CARD.replace("cost: 5", "cost: 6")


def test_a_new_card_does_not_get_the_picture_of_one_that_was_renamed() -> None:
    wolf()
    imported()
    write_card(card().replace("Old Wolf", "Grey Wolf"))
    wolf("other.xcf", picture=put(picture(90, 56)[::-1], (5, 17)))
    assert imported("other.xcf") == "1 file, 1 card written, 1 checked: 1 new in my-wolves\n"
    assert np.array_equal(art("old-wolf"), picture(90, 56)[:, :, :3])
    assert np.array_equal(art("old-wolf-2"), picture(90, 56)[::-1, :, :3])
    assert "art: art/old-wolf-2.png" in Path("my-wolves/old-wolf-2.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_unpacked(pack: Callable[[bytes], bytes]) -> None:
    wolf()
    data = pack(Path("wolf.xcf").read_bytes())
    Path("wolf.xcf").write_bytes(data)
    imported()
    assert card() == CARD
    for broken in (data[:-20], pack(bytes(65 << 20))):
        Path("wolf.xcf").write_bytes(broken)
        assert "`wolf.xcf` is packed, and cannot be unpacked to at most 64 MiB [X010]" in imported(code=1)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("set.yaml", "name: Four\ngame: quartet\n", "is of the game `quartet`, and these are cards of `kotc` [X017]"),
        ("starter/set.yaml", SET, "`my-wolves` is a folder of sets [X018]"),
    ],
)
def test_cards_are_not_written_into_sets_of_another_game_nor_beside_sets(file: str, text: str, message: str) -> None:
    wolf()
    there = Path("my-wolves", file)
    there.parent.mkdir(parents=True)
    there.write_text(text, encoding="utf-8")
    assert message in imported(code=1)
    assert tree() == {str(there): text.encode()}


def test_cards_are_not_written_beside_those_of_a_spreadsheet() -> None:
    wolf()
    table = "name,kind,cost,offense,defense,text\nOld Wolf,creature,5,1,1,Draw 1 card.\n"
    Path("my-wolves").mkdir()
    Path("my-wolves/set.yaml").write_text(SET, encoding="utf-8")
    Path("my-wolves/cards.csv").write_text(table, encoding="utf-8")
    before = tree()
    told = imported(code=1)
    assert "`my-wolves/cards.csv` is a spreadsheet, and only YAML files are rewritten [N012]" in told
    assert tree() == before
    assert "hint: `kotc export my-wolves --to cards.yaml` makes a YAML file" in told
    # What the hint says leads on, and the card of the table is the one that is brought up to date.
    assert kotc("export", "my-wolves", "--to", "cards.yaml").exit_code == 0
    Path("cards.yaml").rename("my-wolves/cards.yaml")
    Path("my-wolves/cards.csv").unlink()
    assert imported().endswith("1 file, 1 card written, 1 checked: 1 changed in my-wolves\n")
    assert {file.name for file in Path("my-wolves").glob("*.yaml")} == {"cards.yaml", "set.yaml"}


def test_comments_beside_values_of_several_lines_stay() -> None:
    wolf()
    imported()
    write_card(
        "name: Old Wolf\nkind: creature\ncost: 5\noffense: 3\ndefense: 10\n"
        'text: "HOWL: Draw 1 card."  # short\nart: art/old-wolf.png # A\n'
    )
    for number in (2, 3):
        wolf(text=text_layer("Effect Text", f"HOWL: Draw {number} cards.", size=3.4))
        imported()
        assert f"text: |  # short\n  HOWL: Draw {number} cards.\nart: art/old-wolf.png # A\n" in card()


def test_a_card_in_braces_is_changed_there() -> None:
    wolf(text=None, flavor=None, picture=None, credit=None)
    imported()
    write_card("{name: Old Wolf, kind: creature, cost: 5, offense: 3, defense: 10}\n")
    wolf(
        flavor=text_layer("Flavor Text", "Howls: now.", size=2.2),
        cost=text_layer("Cost", "8", size=10),
        text=None,
        picture=None,
    )
    imported()
    assert card() == (
        '{name: Old Wolf, kind: creature, cost: 8, offense: 3, defense: 10, flavor: "Howls: now.", '
        'flavor_size: 3.96, credit: "Card design by A. Author, CC0."}\n'
    )


def test_a_card_that_a_person_wrote_keeps_what_it_says() -> None:
    wolf()
    Path("my-wolves").mkdir()
    Path("my-wolves/set.yaml").write_text(SET, encoding="utf-8")
    write_card("name: Old Wolf\nkind: creature\ncost: 4\noffense: 3\ndefense: 10\n")
    assert "`cost` of `old-wolf` stays `4`" in imported()
    assert card() == CARD.replace("cost: 5", "cost: 4")


def test_a_picture_that_a_person_replaced_stays_and_one_of_an_import_is_replaced() -> None:
    wolf()
    imported()
    wolf(picture=put(picture(90, 56)[::-1], (5, 17)))
    assert imported() == "1 file, 1 card written, 1 checked: 1 changed in my-wolves\n"
    assert np.array_equal(art(), picture(90, 56)[::-1, :, :3])
    mine = io.BytesIO()
    Image.new("RGB", (9, 9)).save(mine, "png")
    Path("my-wolves/art/old-wolf.png").write_bytes(mine.getvalue())
    assert imported() == "1 file, 0 cards written, 1 checked: 1 unchanged in my-wolves\n"
    wolf()
    assert "is not the picture that an import wrote: it stays [X028]" in imported()
    assert art().shape == (9, 9, 3)


def test_a_dry_run_shows_a_diff_and_writes_nothing() -> None:
    wolf()
    result = kotc("import", "wolf.xcf", "--to", "my-wolves", "--dry-run")
    assert "+name: Old Wolf\n" in result.stdout
    assert result.stderr == "1 file, 1 card to write: 1 new in my-wolves; nothing was written: --dry-run only shows\n"
    assert not Path("my-wolves").exists()


def test_a_damaged_memory_is_an_error_and_without_it_all_keys_are_a_persons() -> None:
    wolf()
    imported()
    memory = Path("my-wolves/.kotc-import.json")
    memory.write_text('{"cards": []}', encoding="utf-8")
    assert "[X016]" in imported(code=1)
    memory.unlink()
    wolf(cost=text_layer("Cost", "6", size=10))
    assert "`cost` of `old-wolf` stays `5`" in imported()


def test_all_files_are_written_or_none_and_after_a_kill_the_next_import_does_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wolf()
    imported()
    before = tree()
    wolf(cost=text_layer("Cost", "6", size=10), picture=put(picture(90, 56)[::-1], (5, 17)))
    rename, named = os.replace, list[str]()

    def stop_at_memory(old: str, new: str, **within: int) -> None:
        named.append(new)
        if new == ".kotc-import.json":
            raise PermissionError(13, "Permission denied", new)
        rename(old, new, **within)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", stop_at_memory)
        imported(code=3)
    assert named[:3] == ["old-wolf.png", "old-wolf.yaml", ".kotc-import.json"]
    assert tree() == before
    imported()
    after = tree()
    for count in range(3):
        for path, data in before.items():
            Path(path).write_bytes(after[path] if Path(path).name in named[:count] else data)
        imported()
        assert tree() == after


def test_a_set_with_a_broken_card_file_is_not_touched() -> None:
    wolf()
    imported()
    Path("my-wolves/other.yaml").write_text("name: [\n", encoding="utf-8")
    before = tree()
    assert "my-wolves/other.yaml" in imported(code=1)
    assert tree() == before


def test_the_library_does_what_the_command_does() -> None:
    wolf()
    report = render.import_cards("wolf.xcf", "my-wolves")
    (made,) = report.cards
    assert (made.card, made.file, made.outcome) == ("old-wolf", Path("my-wolves/old-wolf.yaml"), "new")
    assert (report.findings, card()) == ((), CARD)


def test_a_picture_of_a_card_changes_neither_its_art_nor_what_the_picture_does_not_show(tmp_path: Path) -> None:
    few: dict[str, MadeLayer | None] = {"text": None, "flavor": None, "credit": None}
    wolf(**few)
    imported()
    kotc("png", "my-wolves", "--dpi", "200", "--out", tmp_path / "drawn")
    before = tree()
    assert "1 file, 0 cards written, 1 checked: 1 unchanged in my-wolves" in imported(
        str(tmp_path / "drawn/old-wolf.png")
    )
    assert tree() == before
    wolf(cost=text_layer("Cost", "6", size=10), **few)
    assert imported() == "1 file, 1 card written, 1 checked: 1 changed in my-wolves\n"
