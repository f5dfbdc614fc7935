"""Rows of the tables of codes; `python -m tests.support.code_rows` copies them into the explanations of the codes.

What a code lacks besides its row, people write: `why` it matters, and an example.
"""

import json
import re

from render.cli.explanations import code_files
from tests.support.pages import pages_of

_ROW = re.compile(r"^\| ([A-Z]\d\d\d) \| (.*?) \|(?: ?(.*?) ?\|)?$", re.MULTILINE)
_ENTRY = re.compile(r"^([A-Z]\d\d\d):\n(?:  what: .*\n)?(?:  shown: .*\n)?", re.MULTILINE)


def code_rows() -> dict[str, tuple[str, str]]:
    """Return what is wrong, and an example of the message, by code."""
    return {row[1]: (row[2], row[3] or "") for row in _ROW.finditer(pages_of("cards", "out", "templates"))}


def main() -> None:
    rows, seen = code_rows(), set()

    def with_row(entry: re.Match[str]) -> str:
        code = entry[1]
        seen.add(code)
        if code not in rows:
            print(f"{code} has no row any more: remove it")
            return entry[0]
        what, shown = (json.dumps(cell, ensure_ascii=False) for cell in rows[code])
        return f"{code}:\n  what: {what}\n" + (f"  shown: {shown}\n" if rows[code][1] else "")

    for file in code_files():
        file.write_text(_ENTRY.sub(with_row, file.read_text("utf-8")), encoding="utf-8")
    for code in sorted(set(rows) - seen):
        print(f"{code} is not explained: add it to {code[0]}.yaml, with `why` and an example")


if __name__ == "__main__":
    main()
