"""The pictures of sizes, letters and languages in `templates/README.md`: `python -m tests.looks` draws them anew.

Each is a row of cards of a game that is written for it, as `kotc png` draws them, on transparent ground.
"""

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates"
GAP, FINER = 12, 3  # px between cards, and how much finer they are drawn

SIZES = {
    "poker": ("poker", "", 63.5, 88.9), "bridge": ("bridge", "", 57.15, 88.9), "tarot": ("tarot", "", 69.85, 120.65),
    "jumbo": ("jumbo", "", 88.9, 139.7), "domino": ("domino", "", 44.45, 88.9), "mini": ("mini", "", 44.45, 63.5),
    "square": ("square", "", 63.5, 63.5), "landscape": ("landscape", "", 88.9, 63.5), "round": ("30x30", "round", 30, 30),
    "hexagon": ("50x43.3", "hexagon", 50, 43.3),
    "tag": ("44x63", "M 0 19 L 22 0 L 44 19 V 63 H 0 Z M 18 12 H 26 V 20 H 18 Z", 44, 63),
}  # fmt: skip
COLOR = (
    "#1f8a93",
    "#d4662a",
    "#4d8a3c",
    "#c24e74",
    "#5a4aa6",
    "#2f76b5",
    "#8a3a16",
    "#27522a",
    "#7a2748",
    "#b0872c",
    "#174772",
)

SEA = (
    '<defs><linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f2c777"/>'
    '<stop offset="0.5" stop-color="#d9674e"/><stop offset="1" stop-color="#2c3a6b"/></linearGradient></defs>'
    '<rect x="-5" y="-5" width="100" height="100" fill="url(#sea)"/><circle cx="32" cy="33" r="13" fill="#fff3d0"/>'
)
AT = 'x="31.75" y="36" width="57" text-anchor="middle" font-size="10" font-weight="bold"'
LETTERS = {
    "plain": f'<text id="name" {AT} fill="#ffffff">Harbor</text>',
    "outlined": f'<text id="name" {AT} fill="#ffffff" stroke="#20264d" stroke-width="1.6" stroke-linejoin="round" paint-order="stroke">'
    "Harbor</text>",
    "hollow": f'<text id="name" {AT} fill="none" stroke="#20264d" stroke-width="0.5">Harbor</text>',
    "shadow": f'<text id="name" {AT} fill="#ffffff" text-shadow="0.6 0.8 1.2 #000000">Harbor</text>',
    "glow": f'<text id="name" {AT} fill="#20264d" text-shadow="0 0 4 #ffffff">Harbor</text>',
    "path": '<path id="arc" d="M 12 38 A 20 20 0 0 1 52 38" fill="none"/><text font-size="8" font-weight="bold" fill="#20264d">'
    '<textPath href="#arc" startOffset="50%" text-anchor="middle">Harbor</textPath></text>',
}  # fmt: skip

WORDS = {
    "en": ("Harbor", "When a ship comes in: Draw 2 cards."),
    "de": ("Hafen", "Wenn ein Schiff einläuft: Ziehe 2 Karten."),
    "vi": ("Bến cảng", "Khi một con tàu cập bến: Rút 2 lá bài."),
    "ja": ("港", "ふねが着いたとき、カードを二まいひく。"),
    "he": ("נמל", "כשאונייה נכנסת: משכו 2 קלפים."),
    "ar": ("ميناء", "عندما تصل سفينة: اسحب بطاقتين."),
}


def drawing(width: float, height: float, content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{content}</svg>'


def of_sizes() -> tuple[Mapping[str, str], Sequence[str]]:
    files = {"game.yaml": "name: Looks\nkinds:\n", "cards.yaml": ""}
    for (name, (size, cut, width, height)), color in zip(SIZES.items(), COLOR, strict=True):
        files["game.yaml"] += f"  {name}: {{size: {size}, back: none{f', cut: {cut}' if cut else ''}}}\n"
        files["cards.yaml"] += f"- {{name: {name}, kind: {name}}}\n"
        center = f'x="{width / 2}" width="{width - 8}" text-anchor="middle" fill="#ffffff"'
        files[f"templates/{name}.svg"] = drawing(
            width, height, f'<rect x="-5" y="-5" width="{width + 10}" height="{height + 10}" fill="{color}"/>'
            f'<text id="name" {center} y="{height / 2}" font-size="7" min-size="3" font-weight="bold">{{{{ card.name }}}}</text>'
            f'<text id="size" {center} y="{height / 2 + 6}" font-size="4.4" min-size="2">{width:g} × {height:g}</text>',
        )  # fmt: skip
    return files, [*SIZES]


def of_letters() -> tuple[Mapping[str, str], Sequence[str]]:
    kinds = "".join(f"  {name}: {{size: square, back: none}}\n" for name in LETTERS)
    files = {f"templates/{name}.svg": drawing(63.5, 63.5, SEA + text) for name, text in LETTERS.items()}
    files["game.yaml"] = f"name: Looks\nkinds:\n{kinds}"
    files["cards.yaml"] = "".join(f"- {{name: {name}, kind: {name}}}\n" for name in LETTERS)
    return files, [*LETTERS]


def of_languages() -> tuple[Mapping[str, str], Sequence[str]]:
    kinds = "".join(f"  {name}: {{size: square, back: none}}\n" for name in WORDS)
    files = {
        "game.yaml": f"name: Looks\nkinds:\n{kinds}fonts: {{round: {{files: [medium.ttf, black.ttf]}}}}\n",
        "cards.yaml": "",
    }
    for name, (title, text) in WORDS.items():
        files["cards.yaml"] += f"- {{name: {name}, kind: {name}}}\n"
        face = ' direction="rtl"' if name in ("he", "ar") else ' font-family="round"' if name == "ja" else ""
        files[f"templates/{name}.svg"] = drawing(
            63.5, 63.5, SEA + f'<text id="name"{face} x="31.75" y="16" width="57" text-anchor="middle" font-size="9" min-size="4" '
            'font-weight="bold" fill="#ffffff" stroke="#20264d" stroke-width="1.6" stroke-linejoin="round" paint-order="stroke">'
            f'{title}</text><rect x="4" y="40" width="55.5" height="19" rx="2" fill="#fffaf0"/>'
            f'<text id="rules"{face} x="6.5" y="41.5" width="50.5" height="16" font-size="4.6" min-size="2.5" fill="#222222">'
            f"{text}</text>",
        )  # fmt: skip
    return files, [*WORDS]


PICTURES = {"sizes": (of_sizes, 48), "letters": (of_letters, 64), "languages": (of_languages, 64)}
"""What each picture shows, and its resolution in dpi."""


def picture(name: str) -> Image.Image:
    """Return a picture: cards in rows of at most 1100 pixels."""
    files, cards = PICTURES[name][0]()
    with TemporaryDirectory() as folder:
        write_files(Path(folder) / "looks", {"set.yaml": "name: Looks\n", **files})
        for weight in ("Medium", "Black"):
            font = ROOT / "cards" / "kettle" / "fonts" / f"ZenMaruGothic-{weight}.ttf"
            shutil.copy(font, Path(folder) / "looks" / f"{weight.lower()}.ttf")
        result = kotc("png", Path(folder) / "looks", "--out", folder, "--dpi", FINER * PICTURES[name][1])
        assert result.exit_code == 0, result.output
        drawn = [Image.open(Path(folder) / f"{card}.png").convert("RGBA").reduce(FINER) for card in cards]
    rows: list[list[Image.Image]] = [[]]
    for each in drawn:
        if sum(other.width + GAP for other in rows[-1]) + each.width > 1100:
            rows.append([])
        rows[-1].append(each)
    width = max(sum(each.width + GAP for each in row) for row in rows) - GAP
    sheet = Image.new("RGBA", (width, sum(max(each.height for each in row) + GAP for row in rows) - GAP))
    y = 0
    for row in rows:
        x, height = 0, max(each.height for each in row)
        for each in row:
            sheet.paste(each, (x, y + height - each.height))
            x += each.width + GAP
        y += height + GAP
    return sheet


def main() -> None:
    for name in sys.argv[1:] or PICTURES:
        picture(name).save(TEMPLATES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
