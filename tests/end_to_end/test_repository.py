"""What the platforms read that carry the program: workflows, packages, the catalog of schemas, the site of the documents."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
import yaml
from jsonschema import Draft202012Validator

from render import __version__
from tests.support.repository import ROOT
from tests.support.schema_verdicts import as_editors_read
from tests.support.sets import kotc

WORKFLOWS = sorted((ROOT / ".github").rglob("*.yml"))
PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
ZIZMOR = shutil.which("zizmor", path=PROGRAMS)
CATALOG = json.loads((ROOT / ".github/schemastore.json").read_text(encoding="utf-8"))
EXAMPLES = {  # as SchemaStore has them: the file of the repository that has the words
    "cards/mine/set.yaml": "cards/starter/set.yaml",
    "cards/mine/minions.kotc-cards.yaml": "cards/starter/minions.yaml",
    "lamplit.kotc-deck.yaml": "cards/decks/lamplit.yaml",
}


def matching(path: str) -> list[str]:
    """Return the names of the schemas that SchemaStore gives to a file."""
    patterns = {entry["url"].rpartition("/")[2]: entry["fileMatch"] for entry in CATALOG}
    return [
        name.removesuffix(".json").removeprefix("kotc-")
        for name, each in patterns.items()
        if any(PurePosixPath(path).match(pattern.removeprefix("**/")) for pattern in each)
    ]


@pytest.mark.parametrize(("path", "words"), EXAMPLES.items())
def test_a_file_named_for_a_schema_gets_that_one_and_keeps_to_it(path: str, words: str) -> None:
    (name,) = matching(path)
    schema = json.loads(kotc("schema", name).stdout)
    assert list(Draft202012Validator(schema).iter_errors(as_editors_read((ROOT / words).read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "path", ["set.yaml", "docker-compose.yaml", "cards.yaml", ".github/workflows/tests.yml", "deck.yaml"]
)
def test_files_of_other_programs_get_no_schema(path: str) -> None:
    assert matching(path) == []


def test_the_patterns_of_schemas_are_regular_expressions_of_editors_too() -> None:
    def patterns(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["pattern"]] if isinstance(value.get("pattern"), str) else []
            return own + [each for below in value.values() for each in patterns(below)]
        return [each for below in value for each in patterns(below)] if isinstance(value, list) else []

    found = [each for name in ("set", "cards", "deck") for each in patterns(json.loads(kotc("schema", name).stdout))]
    # ECMA-262 with the flag `u`, which editors set: only signs with a meaning may be escaped (section 22.2.1, IdentityEscape).
    assert {sign for each in found for sign in re.findall(r"\\(.)", each)} <= set("^$\\.*+?()[]{}|/-bBdDsSwWntrfuv")
    assert len(found) > 3


def test_every_action_is_pinned_to_a_commit_and_each_always_to_the_same() -> None:
    used = {use for file in WORKFLOWS for use in re.findall(r"uses: (\S+ # \S+|\S+)", file.read_text("utf-8"))}
    assert [use for use in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)] == []
    assert len({use.partition("@")[0] for use in used}) == len(used) > 3


@pytest.mark.skipif(ZIZMOR is None, reason="zizmor is not installed")
def test_a_linter_finds_nothing_in_the_workflows() -> None:
    found = subprocess.run(
        [ZIZMOR or "", "--offline", "--no-progress", ROOT / ".github"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout


def test_a_release_is_published_without_a_password_by_the_job_that_has_only_this_right() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["build"]["permissions"] == {"contents": "read"}
    assert jobs["publish"]["permissions"] == {"id-token": "write", "attestations": "write"}
    assert "secrets." not in str(jobs)
    assert not any("run" in step for step in jobs["publish"]["steps"]), (
        "no code of the repository runs beside the right"
    )
    assert re.search(
        rf'^__version__ = "{re.escape(__version__)}"$', (ROOT / "render/__init__.py").read_text("utf-8"), re.MULTILINE
    )


def test_the_changelog_is_kept_newest_first_in_short_entries() -> None:
    text = (ROOT / ".github/CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert releases[0] == ("Unreleased", "")
    assert [date for _, date in releases[1:]] == sorted((date for _, date in releases[1:]), reverse=True)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
        "Fixed",
        "Security",
    }
    entries = [re.sub(r"\s+", " ", each) for each in re.findall(r"^- (.+(?:\n  .+)*)", text, re.MULTILINE)]
    assert [entry for entry in entries if len(entry) > 340] == []


def test_each_document_has_its_place_on_the_site() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not listed:
        pytest.skip("this tree is no clone")
    config = yaml.safe_load((ROOT / ".ci/mkdocs.yml").read_text("utf-8"))

    def pages(entries: object) -> list[str]:
        if isinstance(entries, dict):
            return [page for below in entries.values() for page in pages(below)]
        return [page for below in entries for page in pages(below)] if isinstance(entries, list) else [str(entries)]

    assert sorted(pages(config["nav"])) == sorted(listed)


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform != "linux", reason="the script is for Linux")
def test_the_site_of_the_documents_is_built_and_no_link_leads_nowhere(tmp_path: Path) -> None:
    built = subprocess.run(
        [ROOT / ".ci/documents", tmp_path / "site"],
        env=os.environ | {"PATH": PROGRAMS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, (tmp_path / "site/cards/reference/games/index.html").is_file()) == (0, True), built.stderr
