"""Document types: Illustrator writes one that gives short names to the addresses of its namespaces."""

from __future__ import annotations

import re

MAX_ENTITIES = 50  # Illustrator writes ten
MAX_CHARACTERS = 200_000  # that names may stand for in one drawing, all together

# An entity that stands for plain words only: no other entity, nothing of another file.
_ENTITY = r"""<!ENTITY\s+([\w.:-]+)\s+("[^"&%<]{0,200}"|'[^'&%<]{0,200}')\s*>"""
_DOCUMENT_TYPE = re.compile(r"""<!DOCTYPE\s+svg\b(?:[^\[<>"']|"[^"<>]*"|'[^'<>]*')*(?:\[(?P<inside>[^\]]*)\]\s*)?>""")


def wrong_document_type(text: str) -> str:
    """Return what is wrong with the document type of a drawing; "" if it is harmless."""
    found = _DOCUMENT_TYPE.search(text)
    if found is None or text.count("<!DOCTYPE") > 1:
        return "which is not that of an SVG file"
    inside = found["inside"] or ""
    entities = re.findall(_ENTITY, inside)
    if re.sub(_ENTITY, "", inside).strip() or text.count("<!ENTITY") != len(entities):
        return "in which names stand for more than words"
    if len(entities) > MAX_ENTITIES:
        return f"with {len(entities)} names, and at most {MAX_ENTITIES} are read"
    if sum(text.count(f"&{name};") * len(words) for name, words in entities) > MAX_CHARACTERS:
        return f"whose names stand for more than {MAX_CHARACTERS:,} characters"
    return ""
