"""Every command that a page shows is run, in the order of the page, and says what the page says.

A page begins in a folder with the sets of this repository, the set `cards/mine` as the tutorial leaves it, and the files
that people bring along. In what a command says, `...` stands for anything.
"""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from render.base.sizes import PAPERS
from tests.support.page_commands import follow, run_git, steps
from tests.support.pages import PAGES, page
from tests.support.photographed_sheets import Shot, taken
from tests.support.repository import ROOT
from tests.support.rule_pages import GUIDE, RULEBOOK
from tests.support.simulated_printers import printer
from tests.support.tutorial_pictures import FOLDER, pictures
from tests.support.xcf_files import card_layers, xcf

FAINT = 0.5  # of 255, on average: what another version of Pillow may draw otherwise

WITHOUT_COMMANDS_RUN = {
    "README.md",  # of which `test_readme` runs them
    *("tests/README.md", "render/README.md", "render/images/profiles/README.md"),
    *(".github/CHANGELOG.md", ".github/CONTRIBUTING.md"),
}
"""Pages whose commands other tests run, those for people who work on the program, and what was."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pages begin: sets, pictures, and files of other programs, under version control."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(
        ROOT / "cards",
        home / "cards",
        ignore=shutil.ignore_patterns("preview-*", "*.md", "pictures", "kettle", "first-ride.yaml", "windfall"),
    )
    with (home / "cards/starter/set.yaml").open("a", encoding="utf-8") as settings:
        settings.write("outputs: {png: {dpi: 72}, sheets: true}\n")  # what is built is not looked at
    photo = home / "Pictures/IMG_2041.JPG"
    photo.parent.mkdir()
    Image.linear_gradient("L").resize((1600, 1200)).convert("RGB").save(photo, "JPEG")
    (home / "gimp").mkdir()
    (home / "gimp/anubis.xcf").write_bytes(xcf(card_layers(), size=(635, 889)))
    (home / "rulebook.html").write_text(RULEBOOK, encoding="utf-8")
    (home / "cardbuilding.html").write_text(GUIDE, encoding="utf-8")
    with chdir(home):
        follow(page("cards/tutorial.md"))
        shutil.copy("out/mine/png/harbor-cat.png", ".")
        shutil.rmtree("out")
        for line in ("init -q", "add .", "commit -qm cards", "tag v1.0", "tag v2.0"):
            run_git(line.split())
    return home


@pytest.fixture
def home(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, where we stand, and which is the home of whoever reads."""
    folder = tmp_path / "home"
    shutil.copytree(prepared, folder)
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.setenv("KOTC_CONFIG", str(tmp_path / "printers"))
    monkeypatch.delenv("COLUMNS", raising=False)  # workers of pytest have it, and lines would be broken by it
    monkeypatch.chdir(folder)
    return folder


def shows_commands(one: Path) -> bool:
    name = one.relative_to(ROOT).as_posix()
    return name not in WITHOUT_COMMANDS_RUN and any(steps(one.read_text(encoding="utf-8")))


@pytest.mark.parametrize("read", [*filter(shows_commands, PAGES)], ids=lambda one: one.relative_to(ROOT).as_posix())
def test_every_command_of_a_page_is_run_and_says_what_the_page_says(read: Path, home: Path) -> None:
    if read.name == "tutorial.md":
        shutil.rmtree(home / "cards/mine")
    if read.name == "printer.md":
        prints = printer(PAPERS["a4"], (1.8, -0.7), 0.3, (1.002, 0.999))
        (home / "IMG_2041.JPG").write_bytes(taken(Shot(pixels=1400), prints))
    if read.name == "languages.md":  # whose example goes on with that game
        follow(page("cards/games.md"))
        shutil.rmtree(home / "out")
    follow(read.read_text(encoding="utf-8"))


def test_the_pictures_of_the_tutorial_are_drawn_by_its_commands() -> None:
    shown = {file.stem: Image.open(file).convert("RGB") for file in FOLDER.glob("tutorial-*.png")}
    drawn = {name: picture.convert("RGB") for name, picture in pictures()}
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 200_000
    assert shown.keys() == drawn.keys()
    for name, picture in drawn.items():
        assert picture.size == shown[name].size
        assert max(ImageStat.Stat(ImageChops.difference(picture, shown[name])).mean) < FAINT, name
