import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.encyclopedia.model.article_extracts import clean_extract
from abhidhan.encyclopedia.service.html_extract import read_introduction


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One &amp; two.</p><p>Three.</p>", "One & two.\nThree."),
        ("<h1>Title</h1><p>Lead.</p><h2>History</h2><p>Later.</p>", "Lead."),
        ("<h2>First</h2><p>No lead.</p>", "No lead."),
        ("<table><tr><td>box</td></tr></table><p>Lead.</p>", "Lead."),
        ('<div class="hatnote">See also <div>this</div></div><p>Lead.</p>', "Lead."),
        ('<p>Lead<sup class="reference">[1]</sup>, m<sup>2</sup>.</p>', "Lead, m2."),
        ("<style>p {}</style><script>x < y</script><p>Lead.</p>", "Lead."),
        ("<p>Mixed<br>lines\nof text</p>", "Mixed\nlines of text"),
        ('<p class="mw-empty-elt"></p><p>Lead.', "Lead."),
        ("plain words", "plain words"),
        ("", ""),
    ],
)
def test_the_introduction_is_what_stands_before_the_first_heading(html: str, text: str) -> None:
    assert clean_extract(read_introduction(html).text) == text


def test_long_pages_are_not_read_to_their_end() -> None:
    page = "<p>Lead.</p><h2>History</h2>" + "<p>More.</p>" * 200_000 + '<div id="disambigbox">'

    assert not read_introduction(page).disambiguation


@given(st.text(alphabet=st.sampled_from("<>/=\"'&; !-pdivtablesh2অ\n"), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert read_introduction(text).text.count("\n") <= 2 * text.count("<")
