"""The program of a process that draws letters as image editors such as GIMP did: with all instructions of the font.

It is run by its path, with `ENVIRONMENT`, which FreeType reads once, as it starts: its interpreter 35 also follows the
instructions that move strokes sideways. The question on the standard input is JSON: the font's file, sizes in whole
pixels, and the texts to draw. The answer is a line of JSON a size: for each text its advance, and left, top (from the
baseline, upwards), width and height of its picture, in px; and then all these pictures, a byte a pixel.
"""

from __future__ import annotations

import json
import sys

ENVIRONMENT = {"FREETYPE_PROPERTIES": "truetype:interpreter-version=35"}


def main() -> None:
    """Answer the question of the standard input."""
    from PIL import ImageFont

    question = json.load(sys.stdin.buffer)
    answer = sys.stdout.buffer
    for size in question["sizes"]:
        font = ImageFont.truetype(question["file"], size, layout_engine=ImageFont.Layout.BASIC)
        places, pictures = [], []
        for text in question["texts"]:
            mask, (left, top) = font.getmask2(text, mode="L", anchor="ls")
            places.append((font.getlength(text, mode="L"), left, -top, *mask.size))
            pictures.append(bytes(mask))
        answer.write(json.dumps(places).encode() + b"\n")
        answer.writelines(pictures)


if __name__ == "__main__":
    main()
