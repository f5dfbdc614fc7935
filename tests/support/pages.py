"""The pages that people read: which there are, and what stands in those of a folder."""

from pathlib import Path

from tests.support.repository import ROOT

_FOLDERS = (".github", "cards", "fonts", "out", "render", "templates", "tests")

PAGES = [ROOT / "README.md", *sorted(page for folder in _FOLDERS for page in (ROOT / folder).rglob("*.md"))]


def page(name: str) -> str:
    """Return the text of a page, such as `cards/decks.md`."""
    return (ROOT / name).read_text(encoding="utf-8")


def pages_of(*folders: str) -> str:
    """Return the text of all pages in these folders, and in the folders below them."""
    return "\n".join(each.read_text(encoding="utf-8") for each in PAGES if of_folders(each, folders))


def of_folders(one: Path, folders: tuple[str, ...]) -> bool:
    return one.relative_to(ROOT).as_posix().startswith(tuple(f"{folder}/" for folder in folders))
