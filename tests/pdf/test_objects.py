"""Values in objects of a PDF, beside those that ReportLab writes, as qpdf reads both."""

import pikepdf
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfdoc

from render.pdf.objects import Text, Value, written

numbers = st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6)
names = st.text(
    st.characters(min_codepoint=16, max_codepoint=255, exclude_characters="/", exclude_categories=["Cs"]), min_size=1
)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values: st.SearchStrategy[Value] = st.recursive(
    numbers
    | names.map("/{}".format)
    | st.sampled_from(["true", "0.5"])
    | st.text(st.characters(min_codepoint=32, max_codepoint=126)).map(Text),
    lambda inner: st.lists(inner, max_size=25) | st.dictionaries(names, inner, max_size=14),
)


def by_reportlab(value: Value) -> object:
    match value:
        case dict():
            return pdfdoc.PDFDictionary({name: by_reportlab(entry) for name, entry in value.items()})
        case list():
            return pdfdoc.PDFArray(map(by_reportlab, value))
        case Text():
            return pdfdoc.PDFString(value.words)
        case str() if value.startswith("/"):
            return pdfdoc.PDFName(value[1:])
    return value


@given(values)
def test_values_are_read_as_those_of_reportlab(value: Value) -> None:
    ours, theirs = written([value, value]), pdfdoc.format(by_reportlab([value, value]), pdfdoc.DummyDoc())
    assert pikepdf.Object.parse(ours).unparse() == pikepdf.Object.parse(theirs).unparse()
    assert len(ours) <= len(theirs)


def test_a_name_may_hold_any_character() -> None:
    """ReportLab writes neither a slash within a name nor the signs below 16 as readers want them."""
    assert pikepdf.Object.parse(written("/a/b\n")) == pikepdf.Name("/a/b\n")


@given(texts)
def test_texts_are_read_as_they_were(words: str) -> None:
    assert str(pikepdf.Object.parse(written(Text(words)))) == words
