"""Changes of the game's pages, as the makers of the next edition or an accident could make them."""

import re
from collections.abc import Callable

Edit = Callable[[str], str]


def swap(old: str, new: str) -> Edit:
    """Replace words that the page has once."""

    def edited(page: str) -> str:
        assert page.count(old) == 1, (page.count(old), old)
        return page.replace(old, new)

    return edited


def everywhere(old: str, new: str) -> Edit:
    """Replace words wherever the page has them."""

    def edited(page: str) -> str:
        assert old in page, old
        return page.replace(old, new)

    return edited


def within(item: str, old: str, new: str) -> Edit:
    """Replace words in the list item that has the words `item`; `old` is a pattern."""

    def edited(page: str) -> str:
        start, end = _item(page, item)
        inner, count = re.subn(old, lambda _: new, page[start:end])
        assert count == 1, (count, old, page[start:end])
        return page[:start] + inner + page[end:]

    return edited


def formula(item: str, mathml: str) -> Edit:
    """Replace what stands in the parentheses of the formula of a list item."""
    return within(item, r"(?s)(?<=<mtext>\(</mtext>).*(?=<mtext>\)</mtext>)", mathml)


def behind(item: str, html: str) -> Edit:
    """Put something behind a list item."""

    def edited(page: str) -> str:
        end = _item(page, item)[1]
        return page[:end] + html + page[end:]

    return edited


def without(item: str) -> Edit:
    """Remove a list item."""
    return within(item, r"(?s).+", "")


def section(title: str, change: Callable[[str], str]) -> Edit:
    """Change a section of a guide, from its heading to the next one."""

    def edited(page: str) -> str:
        start = re.search(rf"<h[2-6][^>]*>{re.escape(title)}</h", page)
        assert start is not None, title
        end = re.compile(r"<h[2-6]|</main>").search(page, start.end())
        assert end is not None, title
        return page[: start.start()] + change(page[start.start() : end.start()]) + page[end.start() :]

    return edited


def moved(title: str, before: str) -> Edit:
    """Move a section in front of another one."""

    def edited(page: str) -> str:
        cut = ""

        def remembered(own: str) -> str:
            nonlocal cut
            cut = own
            return ""

        rest = section(title, remembered)(page)
        return section(before, lambda other: cut + other)(rest)

    return edited


def _item(page: str, words: str) -> tuple[int, int]:
    """Return where the list item with the words begins and ends."""
    assert page.count(words) == 1, (page.count(words), words)
    at = page.index(words)
    start = page.rindex("<li", 0, at)
    end = re.compile(r"</li>|(?=<li)|(?=</ul>)").search(page, at)
    assert end is not None
    return start, end.end()
