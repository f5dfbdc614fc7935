"""Where the words of editions in other languages are looked for: in the folders of editions, as `17.de.yaml`."""

from __future__ import annotations

import re
from pathlib import Path

from render.games.kotc.editions.finding import searched_folders

_NAME = re.compile(r"(0[1-9]|[1-9][0-9]{1,2})\.([a-z]{2,3})")  # of a file, without `.yaml`: 17.de


def words_file(number: int, language: str) -> str:
    """Return the name of the file with the words of an edition: `17.de.yaml`."""
    return f"{number:02}.{language}.yaml"


def languages_of(number: int, set_folder: Path | None = None) -> list[str]:
    """Return the languages besides English in which there are words of an edition, sorted."""
    return sorted(language for found, language, _ in known_words(set_folder) if found == number)


def known_words(set_folder: Path | None = None) -> list[tuple[int, str, Path]]:
    """Return edition, language and file of all words that are found, sorted."""
    files: dict[tuple[int, str], Path] = {}
    for folder in searched_folders(set_folder):
        for file in sorted(folder.glob("*.*.yaml")) if folder.is_dir() else ():
            name = _NAME.fullmatch(file.stem)
            if name:
                files.setdefault((int(name[1]), name[2]), file)
    return sorted((number, language, file) for (number, language), file in files.items())


def places_of_words(number: int, language: str, set_folder: Path | None = None) -> list[Path]:
    """Return where the words of an edition were searched for, up to the file that has them, if any."""
    looked_at = []
    for folder in searched_folders(set_folder):
        looked_at.append(folder / words_file(number, language))
        if looked_at[-1].is_file():
            break
    return looked_at
