"""`kotc build --changed-since GIT-REV`: the set as it was then is drawn; neither work tree nor index is touched."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.games.declared.lanterns import FILES, write_files
from tests.support.builds import built, times, tree
from tests.support.changed_cards import (
    BACK,
    BOX,
    CARDS,
    DOT,
    NOTHING,
    ODIN,
    SAME_BACK,
    SAME_BOX,
    SET,
    WORD,
    change,
    changed_odin,
    printed,
    printed_set,
    templates,
)  # fmt: skip
from tests.support.sets import kotc, write_set

Edit = Callable[[Path], object]


def git(*arguments: str, at: Path = Path()) -> str:
    return subprocess.run(["git", *arguments], cwd=at, check=True, capture_output=True, text=True).stdout


def commit(message: str = "more") -> None:
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A set, built, in a repository with a tag of how it was printed; outputs are not in it."""
    home = tmp_path_factory.mktemp("repository")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"NAME": "A", "EMAIL": "a@example.org"}.items():
            patch.setenv(f"GIT_AUTHOR_{name}", value)
            patch.setenv(f"GIT_COMMITTER_{name}", value)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.chdir(home)
        printed_set(home)
        Path(".gitignore").write_text("/out\n/printed.json\n")
        git("init", "-q", "-b", "main", "--template=")
        commit("printed")
        git("tag", "v1.0")
        yield home


@pytest.fixture
def folder(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The set in a repository of its own."""
    shutil.copytree(repository, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "set"


def since(folder: Path, what: str = "v1.0") -> str:
    result = kotc("build", folder, "--out", "out", "--changed-since", what)
    assert result.exit_code == 0, result.output
    said = result.output.splitlines()[-1]
    return said.removeprefix(f"since {what}: ").replace(f"out/{folder.resolve().name}/", "")


def refused(folder: Path, what: str = "v1.0") -> tuple[int, str]:
    before = times(Path("out"))
    result = kotc("build", folder, "--out", "out", "--changed-since", what)
    assert times(Path("out")) == before
    return result.exit_code, result.output.split("Error: Invalid value for --changed-since: ")[-1].rstrip("\n")


# --- what changed ---------------------------------------------------------------------------------------------------


def art(color: str) -> Edit:
    return lambda folder: Image.new("RGB", (400, 300), color).save(folder / "a.png")


EDITS: dict[str, tuple[Edit, str, dict[str, int]]] = {
    "a template that draws the same": (lambda folder: templates(folder, minion=WORD + SAME_BOX), NOTHING, {}),
    "a back that looks the same": (lambda folder: templates(folder, back=SAME_BACK), NOTHING, {}),
    "a dot on the back": (
        lambda folder: templates(folder, back=BACK + DOT),
        "4 cards changed (thor, odin, tyr, loki): 7 copies on 1 sheet in changed.pdf",
        {"Thor": 1, "Odin": 3, "Tyr": 1, "Loki": 2},
    ),
    "one pixel": (
        lambda folder: templates(folder, minion=WORD + BOX + DOT),
        "2 cards changed (thor, odin): 4 copies on 1 sheet in changed.pdf",
        {"Thor": 1, "Odin": 3},
    ),
    "cards that are gone and others that are new": (
        lambda folder: change(folder, ("Thor", "Freya")),
        "1 card added (freya), 1 removed (thor): 1 copy on 1 sheet in changed.pdf",
        {"Freya": 1},
    ),
    "another file": (lambda folder: (folder / "cards.yaml").rename(folder / "gods.yaml"), NOTHING, {}),
}


@pytest.mark.parametrize("what", EDITS)
def test_what_changed_since_a_revision_is_printed(folder: Path, what: str) -> None:
    edit, said, copies = EDITS[what]
    edit(folder)
    assert since(folder) == said
    assert printed(folder) == copies


def test_pictures_are_those_of_the_revision(folder: Path) -> None:
    templates(folder, minion='<image href="{{ card.art.href }}" x="5" y="5" width="50" height="40"/>' + WORD)
    change(folder, ("copies: 3", "copies: 3, art: a.png"), ("level: 1,", "level: 1, art: b.png,"))
    art("red")(folder)
    shutil.copy(folder / "a.png", folder / "b.png")
    commit()
    art("blue")(folder)
    assert since(folder, "HEAD") == ODIN
    shutil.copy(folder / "b.png", folder / "a.png")
    assert since(folder, "HEAD") == NOTHING


@pytest.mark.parametrize(
    "what",
    ["v1.0", "HEAD~2", "main~2", "main@{2}", "annotated", "v1.0^{commit}", ":/printed", "refs/tags/v1.0", "abbrev"],
)
def test_a_revision_is_named_as_git_names_it(folder: Path, what: str) -> None:
    git("tag", "-a", "annotated", "-m", "words", "v1.0")
    templates(changed_odin(folder), minion=WORD)
    commit("changed")
    commit("later")
    if what == "abbrev":
        what = git("rev-parse", "--short", "v1.0").strip()
    assert since(folder, what).startswith("2 cards changed (thor, odin)")
    assert since(folder, "HEAD") == NOTHING


def test_a_second_build_writes_nothing_and_a_commit_is_seen(folder: Path) -> None:
    said = since(changed_odin(folder), "HEAD")
    before = times(Path("out")), tree(Path("out"))
    assert since(folder, "HEAD") == said
    assert (times(Path("out")), tree(Path("out"))) == before
    commit()
    assert since(folder, "HEAD") == NOTHING
    assert since(folder, "HEAD~1") == said


def test_neither_the_repository_nor_the_work_tree_is_touched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("config", "core.splitIndex", "true")
    git("config", "core.untrackedCache", "true")
    git("update-index", "--split-index")
    hook = Path(".git/hooks/post-index-change")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch hooked\n")
    hook.chmod(0o755)
    changed_odin(folder)
    git("add", "-A")
    change(folder, ("Loki", "Freya"))
    monkeypatch.setenv("TMPDIR", str(folder.parent / "out"))
    Path("hooked").unlink()
    status = git("-c", "core.hooksPath=none", "status", "--porcelain")
    before = times(Path(".git")), times(folder)
    assert since(folder).startswith("1 card changed (odin), 1 added (freya), 1 removed (loki)")
    assert (times(Path(".git")), times(folder)) == before
    assert not Path("hooked").exists()
    assert [path.name for path in Path("out").iterdir()] == ["set"]  # nor is anything left behind
    assert git("-c", "core.hooksPath=none", "status", "--porcelain") == status


def test_a_hook_may_build(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git tells its hooks where the repository and the index of the commit are."""
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index.lock")
    monkeypatch.setenv("GIT_PREFIX", "set/")
    assert since(changed_odin(folder), "HEAD") == ODIN


def test_files_are_as_a_checkout_would_have_them(folder: Path) -> None:
    """Attributes that archives heed, odd names, and the ends of lines of another system."""
    Path(".gitattributes").write_text("*.yaml export-ignore\n*.svg export-subst\n* text=auto\n")
    odd = folder / 'a "b" [c]* \\ é\n.yaml'
    odd.write_text("{name: Freya, kind: spell, level: 1, text: Heal.}\n")
    commit()
    git("config", "core.autocrlf", "true")
    assert since(changed_odin(folder), "HEAD") == ODIN
    odd.unlink()
    assert since(folder, "HEAD").startswith("1 card changed (odin), 1 removed (freya)")


@pytest.mark.parametrize("place", ["a/b", "a [b]*?", "é ü", "-a", ":a", '"a"'])
def test_a_set_may_lie_anywhere_in_its_repository(folder: Path, place: str) -> None:
    moved = Path(f"./{place}") / "mine"
    moved.parent.mkdir(parents=True)
    folder.rename(moved)
    write_set(Path("set"), CARDS, SET)  # another one
    commit()
    assert since(changed_odin(moved.resolve()), "HEAD") == ODIN
    assert "when there was no such set: 4 cards added (thor, odin, tyr, loki)" in since(moved.resolve())


@pytest.mark.parametrize("place", ["game", "games/beasts", "."])
def test_the_game_of_a_set_is_that_of_the_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    own = ("set.yaml", "cards.yaml")
    write_files(tmp_path / place, {name: text for name, text in FILES.items() if name not in own})
    write_files(tmp_path / "cards", {name: FILES[name] for name in own})
    write_files(tmp_path / "cards", {"set.yaml": f"game: ../{place}\n{FILES[own[0]]}"})
    git("init", "-q", "--template=")
    git("add", "-A")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "then")
    assert since(tmp_path / "cards", "HEAD") == NOTHING
    write_files(tmp_path / place, {"game.yaml": FILES["game.yaml"].replace("weight > 200", "weight > 20")})
    assert since(tmp_path / "cards", "HEAD") == "1 card changed (sun-bear): 2 copies on 1 sheet in changed.pdf"


def test_a_set_may_be_its_repository(folder: Path) -> None:
    git("init", "-q", at=folder)
    git("add", "-A", at=folder)
    git("commit", "-q", "-m", "a set", at=folder)
    assert since(changed_odin(folder), "HEAD") == ODIN


def test_a_set_that_was_not_there_is_new(folder: Path) -> None:
    shutil.copytree(folder, "other")
    said = since(Path("other"), "v1.0")
    assert said.startswith("since v1.0, when there was no such set: 4 cards added (thor, odin, tyr, loki): 7 copies")
    before = times(Path("out"))
    since(Path("other"), "v1.0")
    assert times(Path("out")) == before


def test_several_sets_are_compared_with_the_same_revision(folder: Path) -> None:
    shutil.copytree(folder, "sets/one")
    shutil.copytree(folder, "sets/two")
    commit()
    changed_odin(Path("sets/two"))
    said = kotc("build", "sets", "--out", "out", "--changed-since", "main").output
    assert [line for line in said.splitlines() if line.startswith("since")] == [
        f"since main: {NOTHING}",
        f"since main: {ODIN}".replace("changed.pdf", "out/two/changed.pdf"),
    ]


# --- links, and what git does not hold ------------------------------------------------------------------------------


def test_links_lead_to_what_was_there_then(folder: Path) -> None:
    shared = Path("shared/frames/minion.svg")
    shared.parent.mkdir(parents=True)
    (folder / "templates/minion.svg").rename(shared)
    (folder / "templates/minion.svg").symlink_to("../../shared/minion.svg")
    Path("shared/minion.svg").symlink_to("frames/minion.svg")  # a link to a link
    Path("linked").symlink_to("set")
    commit()
    shared.write_text(shared.read_text().replace("#336699", "#993366"))
    expected = "2 cards changed (thor, odin): 4 copies on 1 sheet in changed.pdf"
    assert since(folder, "HEAD") == expected
    shared.write_text(shared.read_text().replace("#993366", "#336699"))
    assert since(Path("linked"), "HEAD") == NOTHING


def test_a_link_that_leads_out_of_the_repository_is_not_followed(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "cards.yaml"
    (folder / "cards.yaml").rename(elsewhere)
    (folder / "cards.yaml").symlink_to(elsewhere)
    commit()
    (folder / "cards.yaml").unlink()
    shutil.copy(elsewhere, folder / "cards.yaml")
    built(folder)
    assert refused(folder, "HEAD") == (1, (
        "error: the set as it was at `HEAD` has errors, and cannot be compared with [H004]\n"
        "  hint: `set/cards.yaml` is a link that leads out of the repository\n"
        "HEAD:set/set.yaml:1:1: error: the set has no cards [S021]\n"
        "  hint: write a card into a file such as `HEAD:set/cards.yaml`\n2 errors"
    ))  # fmt: skip


def test_pictures_that_git_lfs_holds_are_named(folder: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    change(folder, ("copies: 3", "copies: 3, art: a.png"))
    (folder / "a.png").write_text(pointer)
    commit()
    art("red")(folder)
    built(folder)
    status, said = refused(folder, "HEAD")
    assert status == 1
    assert said.startswith(
        "error: the set as it was at `HEAD` has errors, and cannot be compared with [H004]\n"
        "  hint: `set/a.png` lies in Git LFS, and was not fetched\n"
        "HEAD:set/cards.yaml:3:"
    )
    assert "the picture `a.png` is a Git LFS pointer" in said
    assert "/kotc-" not in said


@pytest.mark.parametrize("key", ["filter.theirs.smudge", "filter.theirs.process", "core.fsmonitor"])
def test_no_program_is_run_that_the_repository_names(folder: Path, key: str) -> None:
    """A set may be unpacked with its repository: who clones one does not get its configuration."""
    Path(".gitattributes").write_text("*.yaml filter=theirs\n")
    commit()
    git("config", key, f"touch {Path('ran').absolute()}; cat")
    git("config", "filter.theirs.required", "true")
    assert since(folder, "HEAD") == NOTHING
    assert not Path("ran").exists()


def test_a_submodule_is_named(folder: Path) -> None:
    git("init", "-q", "set/art")
    art("red")(folder / "art")
    git("add", "-A", at=Path("set/art"))
    git("commit", "-q", "-m", "art", at=Path("set/art"))
    change(folder, ("copies: 3", "copies: 3, art: art/a.png"))
    commit()
    built(folder)
    assert refused(folder, "HEAD")[1].splitlines()[1] == "  hint: `set/art` is a submodule"
    change(folder, (", art: art/a.png", ""))
    commit()
    assert since(folder, "HEAD") == NOTHING  # nothing of it is needed


# --- what is wrong --------------------------------------------------------------------------------------------------


def test_a_set_that_had_errors_then_is_refused_with_them(folder: Path) -> None:
    change(folder, ("level: 4", "level: four"))
    commit()
    change(folder, ("level: four", "level: 4"))
    status, said = refused(folder, "HEAD")
    assert status == 1
    assert said.splitlines()[:3] == [
        "error: the set as it was at `HEAD` has errors, and cannot be compared with [H004]",
        "  hint: compare with the `.kotc.json` of a build of that time instead",
        "HEAD:set/cards.yaml:5:36: error: expected a whole number from 0 to 9999 or `auto`, found `four` [C005]",
    ]


def test_errors_of_today_come_first(folder: Path) -> None:
    change(folder, ("level: 4", "level: four"))
    commit()
    change(folder, ("level: four", "level: five"))
    status, said = refused(folder, "HEAD")
    assert (status, said.splitlines()[-1]) == (1, "1 error")
    assert "found `five`" in said


NONE_HERE = "no such revision in the repository of"


@pytest.mark.parametrize(
    "what", ["v2.0", "HEAD~9", "HEAD:set", "HEAD..main", "^HEAD", "HEAD^{tree}", "main@{9}", "v1 .0", "deadbeef"]
)
def test_a_word_that_is_not_a_revision_is_wrong_usage(folder: Path, what: str) -> None:
    assert refused(folder, what) == (2, f"there is no file `{what}`, and {NONE_HERE} `{folder}`")


def test_what_may_be_a_file_or_a_revision_is_asked_for(folder: Path) -> None:
    shutil.copy("printed.json", "v1.0")
    assert refused(folder) == (2, "`v1.0` is a file and a revision of git: write `./v1.0` or `v1.0^0`")
    changed_odin(folder)
    assert since(folder, "v1.0^0") == ODIN
    assert since(folder, "./v1.0").endswith(ODIN)


def test_a_set_without_repository_has_no_revisions(folder: Path) -> None:
    shutil.rmtree(".git")
    status, said = refused(folder)
    assert status == 2
    assert said.startswith(
        f"there is no file `v1.0`, and `{folder}` lies in no repository that git can use (not a git repository (or any"
    )


def test_what_git_asks_for_before_it_reads_a_repository_of_others_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    status, said = refused(folder)
    assert status == 2
    assert "(detected dubious ownership in repository at" in said
    assert "git config --global --add safe.directory" in said


def test_a_repository_without_commits_has_no_revisions(folder: Path) -> None:
    shutil.rmtree(".git")
    git("init", "-q")
    assert refused(folder, "HEAD") == (2, f"there is no file `HEAD`, and {NONE_HERE} `{folder}`")


@pytest.mark.usefixtures("folder")
def test_a_clone_without_history_says_how_to_get_it() -> None:
    commit()
    git("clone", "-q", "--depth", "1", f"file://{Path.cwd()}", "clone")
    assert refused(Path("clone/set"), "HEAD~1") == (
        2,
        f"there is no file `HEAD~1`, and {NONE_HERE} `clone/set`, which is a clone without its history:"
        " `git fetch --unshallow` gets it",
    )


def test_without_git_only_files_can_be_compared_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert refused(folder) == (3, (
        "error: cannot use `git`: it is not installed, and what is to be compared with is no file [E001]"
    ))  # fmt: skip
    assert since(folder, "printed.json") == NOTHING


def test_an_error_of_git_is_reported_in_its_own_words(folder: Path) -> None:
    blob = git("rev-parse", "HEAD:set/set.yaml").strip()
    Path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    status, said = refused(folder)
    assert status == 3
    assert said.startswith("error: cannot use `git`: ")
    assert blob in said
