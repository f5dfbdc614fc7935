"""Whole faces as text: every item of a card, where it stands and what it looks like.

A change of a card shows as a diff of `tests/games/kotc/golden/*.txt`. When it is meant, rewrite them with
`python -m tests.games.kotc.test_golden` and commit the diff with the change. `scene.dump` tells how to read a line;
lengths are in mm.
"""

import struct
import sys
import tempfile
from pathlib import Path

import pytest

from render.game.faces import Faces, lay_out_set
from render.games.kotc.sets import load_sets
from tests.support.picture_files import png_chunk
from tests.support.scene_dumps import dump
from tests.support.sets import write_set

FOLDER = Path(__file__).parent / "golden"

SET = "name: Golden\nedition: 17\ncredit: Card design by nobody, CC0.\n"
CARDS = """
- id: minion-with-two-abilities
  name: Lamp Keeper
  kind: minion
  level: 12
  ultra_points: 3
  sp: 4
  hp: 16
  art: {file: picture.png, author: A. Author, license: CC0}
  text: |
    LIGHT: self-exhaust 2 resources-> Draw 1 card. (An efficient flame.)
    NIGHT WATCH: When enemy attacks, after Attack Formation (ghost-play): Target 1 on-field minion; destroy it.
  flavor: It never goes out.

- id: spell-with-condition
  name: Undertow
  kind: spell
  level: 3
  art: {file: picture.png, corner: bottom-right, color: black, license: CC BY-SA 4.0}
  text: "When an enemy minion is summoned (hex-play): Target that minion; destroy it."

- id: creature-of-the-9th-edition
  name: Old Guard
  kind: creature
  edition: 9
  offense: 4
  defense: 6
  cost: 10
  art: picture.png
  text: |
    Pay 1 life to summon this creature.
    WATCH: Activate when this creature is attacked. Draw 1 card.

- id: pawn
  name: Recruit
  kind: pawn
  art: {file: picture.png, fit: cover}

- id: tip
  name: A Turn
  kind: tip
  text: |
    Draw 1 card.
    Then play.

- id: without-a-picture
  name: Nobody
  kind: minion
  edition: 16
  level: 1
  sp: 0
  hp: 16

- id: condensed-name
  name: The Fisherwoman Who Waited
  kind: minion
  level: 1
  sp: 1
  hp: 1
  art: picture.png
"""
IDS = (
    "minion-with-two-abilities",
    "spell-with-condition",
    "creature-of-the-9th-edition",
    "pawn",
    "tip",
    "without-a-picture",
    "condensed-name",
)


def picture() -> bytes:
    """Return a black PNG of 360 x 240 pixels whose bytes, and so whose digest, depend on no library."""
    width, height = 360, 240
    rows = bytes(height * (1 + width // 8))
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), 0xFFFF ^ len(rows)) + rows
    checksum = struct.pack(">I", ((len(rows) % 65521) << 16) | 1)  # Adler-32 of zeros
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", stored + checksum), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*chunk) for chunk in chunks)


def drawn(folder: Path) -> dict[str, Faces]:
    """Return the faces of the cards of a set that is written into the folder."""
    write_set(folder, CARDS, SET)
    (folder / "picture.png").write_bytes(picture())
    (card_set,) = load_sets([folder])
    return {faces.card.id: faces for faces in lay_out_set(card_set).faces}


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Faces]:
    return drawn(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("card", IDS)
def test_a_card_is_laid_out_as_it_was(faces: dict[str, Faces], card: str) -> None:
    assert dump(faces[card].front) == (FOLDER / f"{card}.txt").read_text(encoding="utf-8")


def test_there_is_a_dump_for_each_card_and_no_other(faces: dict[str, Faces]) -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(IDS) == sorted(faces)


def rewrite() -> None:
    """Write the dumps anew, and say which have changed."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, made in drawn(Path(folder)).items():
            file, text = FOLDER / f"{name}.txt", dump(made.front)
            changed = not file.exists() or file.read_text(encoding="utf-8") != text
            file.write_text(text, encoding="utf-8")
            print(f"{'changed' if changed else 'same'}: {file}", file=sys.stderr)


if __name__ == "__main__":
    rewrite()
