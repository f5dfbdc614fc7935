"""Whether there is nothing to do, by the stamps of files, without reading a card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from render.build.state import manifest as manifests
from render.build.state import program
from render.build.state.inputs import Labels, file_stamp, file_stamps, sha256_of_output
from render.build.state.manifest import PROGRAM, Manifest
from render.game.decks.behind import sets_behind
from render.game.folder import SetFiles


def is_settled(files: SetFiles, folder: Path, manifest: Manifest, mark: str = "", asked: str = "") -> bool:
    """Return whether every input and output has the stamp of the last build, which found no error.

    `mark` is that of the baseline to compare with, if any, and `asked` are the options of sheets that the command line
    gives.
    """
    if not manifest.complete or manifest.since.get("mark", "") != mark or manifest.asked != asked:
        return False
    sets = sets_behind(files)
    if manifest.cards != names_of_cards(files, sets):
        return False
    # The program last: a set that changed is found before the program's hundreds of files are looked at.
    labels = labels_of(files, sets)
    return (
        all(file_stamp(labels.path(label)) == seen for label, seen in manifest.seen.items() if label != PROGRAM)
        and file_stamps(folder, manifest.made) == manifest.made
        and manifest.seen.get(PROGRAM) == program.looks()
    )


def labels_of(files: SetFiles, sets: Sequence[SetFiles]) -> Labels:
    """Return the labels of the files of a set or a deck; `sets` are those behind it."""
    return Labels(files.folder, [each.folder for each in sets] if files.deck else ())


def names_of_cards(files: SetFiles, sets: Sequence[SetFiles]) -> tuple[str, ...]:
    """Return the names of all card files, in a deck with their set, to notice new ones."""
    if files.deck is None:
        return tuple(file.name for file in files.cards)
    return tuple(f"{number}/{file.name}" for number, each in enumerate(sets, start=1) for file in each.cards)


def trusted_program(manifest: Manifest) -> tuple[str, str]:
    """Return a digest of the program's stamps, and its version, which is calculated again only if they changed."""
    looks = program.looks()
    return looks, manifest.program if manifest.program and manifest.seen.get(PROGRAM) == looks else program.version()


def troubles(folder: Path) -> tuple[int, list[str]] | None:
    """Return how many files were made, and words about those that changed or lack cards; None if nothing was built."""
    manifest = manifests.read(folder)
    known = manifest.files
    if not known:
        return None
    found = [f"`{folder}` was built without the card `{card}`, which had an error" for card in manifest.missing]
    for name, digest in sorted(known.items()):
        now = sha256_of_output(folder, name)
        if not now:
            found.append(f"`{folder / name}` is missing")
        elif now != digest:
            found.append(f"`{folder / name}` was changed after the build")
    return len(known), found
