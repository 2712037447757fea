import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from abhidhan.platform.http.labels import DONOR_LANGUAGES, ENGLISH_PAGE_NAMES, Wording, parse_origin
from assamese.paradigms import Label

ORIGINS = (
    ("সং", "from Sanskrit"),
    ("আ.", "from Arabic"),
    ("ফা. বাজাৰ", "from Persian বাজাৰ"),
    ("ইং.কেপ্তেইন", "from English কেপ্তেইন"),
    ("ইং. police station", "from English police station"),
    ("অ. গড় + ইং. কেপ্তেইন", "Assamese গড় + English কেপ্তেইন"),
    ("সং. বিষুৱ; ব. বৈচাগু; দে. বিচু", "from Sanskrit বিষুৱ; from Bodo বৈচাগু; from Deori বিচু"),
    ("সং. (হেম১৩)", "from Sanskrit (হেম১৩)"),
    ("ফা. বাজাৰ (হেম৯৮)", "from Persian বাজাৰ (হেম৯৮)"),
    ("দেশজ", "a local word"),
    # What is not written in codes stays as it is.
    ("তৎসম", "তৎসম"),
    ("From Old English <i>wæter</i>.", "From Old English &lt;i&gt;wæter&lt;/i&gt;."),
    ("সংস্কৃত", "সংস্কৃত"),
    ("সং; ?", "সং; ?"),
    ("ফা বাজাৰ", "ফা বাজাৰ"),
)
"""Origins as they stand in dictionaries, and as a page shows them."""


def test_an_origin_is_spelled_out() -> None:
    for origin, expected in ORIGINS:
        assert re.sub(r"<[^>]*>", "", Wording("en").format_origin(origin)) == expected, origin


@given(st.text(st.sampled_from([*"সংফাইংআ.+;() \n", "<", "x"]), max_size=20))
def test_any_text_of_an_origin_is_parsed_or_left_unchanged(text: str) -> None:
    theories = parse_origin(text)
    assert theories is None or all(
        part.donor in DONOR_LANGUAGES.values() for theory in theories for part in theory.parts
    )
    assert "<x" not in Wording("as").format_origin(text)


def test_assamese_words_in_an_english_label_have_their_language_marked() -> None:
    label = Label("1st person (মই) <I>", "প্ৰথম পুৰুষ")

    assert Wording("en").inflection_label(label) == '1st person (<span lang="as">মই</span>) &lt;I&gt;'
    assert Wording("as").inflection_label(label) == "প্ৰথম পুৰুষ"


def test_dates_and_times_are_formatted_by_language() -> None:
    at = 1_790_000_000  # 2026-09-21 14:13:20 UTC

    assert (Wording("en").format_date("2026-09-21"), Wording("en").format_day(at)) == ("21 September 2026",) * 2
    assert Wording("en").format_moment(at) == "21 September 2026, 14:13"
    assert Wording("as").format_moment(at) == "২১ ছেপ্টেম্বৰ, ২০২৬, ১৪:১৩"


def test_english_pages_show_stored_names_in_plainer_words() -> None:
    data = Path(__file__).parents[3] / "src/abhidhan/data"
    stored = "".join((data / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("lists", "cards", "sources"))

    assert [name for name in ENGLISH_PAGE_NAMES if f'"{name}"' not in stored] == []
    assert Wording("en").translate_name("Vegetables and food") == "Food and vegetables"
    assert Wording("as").translate_name("Vegetables and food") not in {"Vegetables and food", "Food and vegetables"}
