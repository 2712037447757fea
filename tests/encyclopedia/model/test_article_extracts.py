from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.encyclopedia.model.article_extracts import (
    clean_extract,
    is_disambiguation,
    parse_introduction,
    truncate_at_sentence,
)

ENGLISH = "Dr. A. K. Das, e.g. of the U.S. army, lived in Assam (b. 1901). He was 3.5 m tall! “Yes.” No. 5 was his."
ASSAMESE = "অসম এখন ৰাজ্য। ড. কাকতি ইয়াৰ মানুহ। মো. আলিও। শেষ"


CLEAN_TEXTS: Final[tuple[tuple[str, str], ...]] = (
    ("Assam ( ; Assamese: [ɔxɔm] , listen ) is a state .", "Assam (Assamese: [ɔxɔm]) is a state."),
    ("Assam (listen) is", "Assam is"),
    ("Assam () is [ ] a ( ) state", "Assam is a state"),
    ("One\n\n\n Two\u00a0 words \n", "One\nTwo words"),
    ("Lead\n== History ==\nOld", "Lead\nOld"),
    ("E = mc 2 {\\displaystyle E=mc^{2}} holds", "E = mc 2 holds"),
    ("open {\\displaystyle {x", "open"),
    ("soft\u00adhyphen\u200b", "softhyphen"),
    ("অসমী\u09df", "অসমীয়"),
    ("ৰাষ্ট্ৰ\u200cীয় ।", "ৰাষ্ট্ৰ\u200cীয় ।"),
    (" \n ", ""),
)


def test_removed_elements_leave_no_traces_in_the_text() -> None:
    for text, clean in CLEAN_TEXTS:
        assert clean_extract(text) == clean, text


CUT_TEXTS: Final[tuple[tuple[str, int, str], ...]] = (
    (ENGLISH, 63, "Dr. A. K. Das, e.g. of the U.S. army, lived in Assam (b. 1901)."),
    (ENGLISH, 80, "Dr. A. K. Das, e.g. of the U.S. army, lived in Assam (b. 1901)."),
    (ENGLISH, 82, ENGLISH[:82]),
    (ENGLISH, 90, ENGLISH[:89]),
    (ENGLISH, 100, ENGLISH[:89]),
    (ENGLISH, 500, ENGLISH),
    (ENGLISH, 20, "Dr. A. K. Das, e.g.…"),
    (ASSAMESE, 14, "অসম এখন ৰাজ্য।"),
    (ASSAMESE, 20, "অসম এখন ৰাজ্য।"),
    (ASSAMESE, 40, "অসম এখন ৰাজ্য। ড. কাকতি ইয়াৰ মানুহ।"),
    ("It is ca. five. Then more.", 16, "It is ca. five."),
    ("A list:\nAssam\nMeghalaya", 15, "A list:\nAssam"),
    ("ক্ষ" * 20, 11, "ক্ষক্ষক্ষ…"),
    ("word" * 20, 9, "wordword…"),
)


def test_text_is_cut_at_the_end_of_a_sentence() -> None:
    for text, length, cut in CUT_TEXTS:
        assert truncate_at_sentence(text, length) == cut, (text, length)


@given(st.text(alphabet=st.sampled_from("Ab. ।?ক্ষা\n\u200d’”)("), max_size=200), st.integers(50, 150))
def test_a_cut_text_is_never_too_long_and_stays_cut(text: str, length: int) -> None:
    cut = truncate_at_sentence(clean_extract(text), length)

    assert len(cut) <= length
    assert truncate_at_sentence(cut, length) == cut


@given(st.text(max_size=300))
def test_clean_text_stays_clean(text: str) -> None:
    clean = clean_extract(text)

    assert clean == clean.strip()
    assert "\n\n" not in clean


DISAMBIGUATIONS: Final[tuple[tuple[str, str, bool], ...]] = (
    ("Mercury", "Mercury may refer to:\nA planet", True),
    ("Mercury", "Mercury most commonly refers to:\nA planet", True),
    ("Mercury (disambiguation)", "Text.", True),
    ("পানী (দ্ব্যৰ্থতা)", "পানী", True),
    ("পানী", "পানী বুলিলে তলৰ বিষয়বোৰ বুজাব পাৰে:\nজল", True),
    ("পানি", "পানি বলতে বোঝানো হতে পারে:", True),
    ("Assam", "Assam is a state. The name may refer to its tea.", False),
    ("Assam", "", False),
)


def test_disambiguation_pages_are_recognized_by_their_words() -> None:
    for title, extract, expected in DISAMBIGUATIONS:
        assert is_disambiguation(title, extract) is expected, (title, extract)


INTRODUCTIONS: Final[tuple[tuple[str, str], ...]] = (
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
)


def test_the_introduction_ends_before_the_first_heading() -> None:
    for html, text in INTRODUCTIONS:
        assert clean_extract(parse_introduction(html).text) == text, html


def test_long_pages_are_not_read_to_their_end() -> None:
    page = "<p>Lead.</p><h2>History</h2>" + "<p>More.</p>" * 200_000 + '<div id="disambigbox">'

    assert not parse_introduction(page).disambiguation


@given(st.text(alphabet=st.sampled_from("<>/=\"'&; !-pdivtablesh2অ\n"), max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert parse_introduction(text).text.count("\n") <= 2 * text.count("<")
