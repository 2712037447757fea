import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.records.encyclopedia_articles import (
    MAX_TITLE_BYTES,
    MAX_VARIANTS,
    MAX_VARIANTS_LENGTH,
    Article,
    ArticleOutcome,
    ArticleReply,
    CacheLifetimes,
    choose_lifetime,
    choose_reply,
    clean_title,
    list_spelling_variants,
)
from assamese.keys import loose_key

FOUND = ArticleReply(outcome=ArticleOutcome.FOUND, title="Found")
MISSING = ArticleReply(outcome=ArticleOutcome.NO_ARTICLE)
BARE = ArticleReply(outcome=ArticleOutcome.NO_EXTRACT, title="Bare")
DOWN = ArticleReply(outcome=ArticleOutcome.UNREACHABLE)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("assam", "Assam"),
        ("new_delhi", "New delhi"),
        ("  New \u00a0 Delhi ", "New Delhi"),
        ("Assam#History", "Assam"),
        (":Assam", "Assam"),
        ("অসমীয়\u09be", "অসমীয়া"),
        ("অসমী\u09dfা", "অসমীয়া"),
        ("ল’ৰা", "ল’ৰা"),
        ("iPhone", "IPhone"),
        ("ßa", "ßa"),
        ("élan", "Élan"),
        ("As\u200esam\ufeff", "Assam"),
        ("ৰাষ্ট্ৰ\u200cীয়", "ৰাষ্ট্ৰ\u200cীয়"),
        ("A|B", ""),
        ("[[Assam]]", ""),
        ("<b>", ""),
        ("{{x}}", ""),
        ("a\x00b", ""),
        ("\ud800", ""),
        ("#", ""),
        ("_", ""),
        ("", ""),
        ("অ" * 85, "অ" * 85),
        ("অ" * 86, ""),
    ],
)
def test_titles_are_written_as_encyclopedias_do(text: str, title: str) -> None:
    assert clean_title(text) == title


@given(st.text(max_size=300))
def test_a_clean_title_stays_as_it_is(text: str) -> None:
    title = clean_title(text)

    assert clean_title(title) == title
    assert len(title.encode()) <= MAX_TITLE_BYTES


@pytest.mark.parametrize(
    ("title", "language", "variant"),
    [
        ("লৰা", "as", "ল’ৰা"),
        ("ল'ৰা", "as", "ল’ৰা"),
        ("ল’ৰা", "as", "ল'ৰা"),
        ("লরা", "as", "ল’ৰা"),
        ("রাজ্য", "as", "ৰাজ্য"),
        ("সূৰ্য্য", "as", "সূৰ্য"),
        ("সূৰ্য", "as", "সূৰ্য্য"),
        ("হঠাত", "as", "হঠাৎ"),
        ("গড়গাওঁ", "as", "গড়গাঁও"),
        ("ৰাজ্য", "bn", "রাজ্য"),
        ("New delhi", "en", "New Delhi"),
        ("NEW DELHI", "en", "New Delhi"),
        ("Guwahati-Airport", "en", "Guwahati Airport"),
    ],
)
def test_other_spellings_are_tried(title: str, language: str, variant: str) -> None:
    assert variant in list_spelling_variants(title, language)


@given(st.text(alphabet=st.sampled_from("কখৰরলৱবতৎ্ািঁঙংগয’'- aBé"), max_size=90), st.sampled_from(["as", "bn", "en"]))
def test_variants_share_the_loose_key_and_fit_into_one_request(text: str, language: str) -> None:
    title = clean_title(text)

    variants = list_spelling_variants(title, language)

    assert {loose_key(variant, language) for variant in variants} <= {loose_key(title, language)}
    assert title not in variants
    assert len(variants) <= MAX_VARIANTS
    assert sum(map(len, variants)) <= MAX_VARIANTS_LENGTH


@pytest.mark.parametrize(
    ("replies", "settled"),
    [
        ([FOUND], FOUND),
        ([DOWN, FOUND], FOUND),
        ([MISSING, FOUND], FOUND),
        ([MISSING, BARE], BARE),
        ([BARE, MISSING], BARE),
        ([MISSING, MISSING], MISSING),
        ([MISSING, DOWN], None),
        ([DOWN], None),
        ([], None),
    ],
)
def test_the_best_reply_counts_and_no_source_that_is_down_says_no(
    replies: list[ArticleReply], settled: ArticleReply | None
) -> None:
    assert choose_reply(replies) == settled


@pytest.mark.parametrize(
    ("replies", "seconds"),
    [([FOUND], 100), ([MISSING, FOUND], 100), ([DOWN, FOUND], 10), ([MISSING], 10), ([BARE], 10)],
)
def test_what_was_found_lives_longer(replies: list[ArticleReply], seconds: int) -> None:
    assert choose_lifetime(replies, CacheLifetimes(found=100, missing=10)) == seconds


def test_an_article_is_fresh_until_it_is_to_be_renewed() -> None:
    article = Article(
        language_id=1,
        key="A",
        outcome=ArticleOutcome.FOUND,
        title="A",
        extract="A.",
        url=None,
        source="S",
        licence=None,
        disambiguation=False,
        retrieved=100,
        renew_after=200,
    )

    assert (article.is_fresh(199.9), article.is_fresh(200)) == (True, False)
