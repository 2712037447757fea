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


TITLES = (
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
)


def test_titles_are_written_as_encyclopedias_write_them() -> None:
    for text, title in TITLES:
        assert clean_title(text) == title, text


@given(st.text(max_size=300))
def test_a_cleaned_title_does_not_change_when_cleaned_again(text: str) -> None:
    title = clean_title(text)

    assert clean_title(title) == title
    assert len(title.encode()) <= MAX_TITLE_BYTES


SPELLINGS = (
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
)


def test_other_spellings_of_a_title_are_tried() -> None:
    for title, language, variant in SPELLINGS:
        assert variant in list_spelling_variants(title, language), title


@given(st.text(alphabet=st.sampled_from("কখৰরলৱবতৎ্ািঁঙংগয’'- aBé"), max_size=90), st.sampled_from(["as", "bn", "en"]))
def test_spelling_variants_share_the_loose_key_and_fit_into_one_request(text: str, language: str) -> None:
    title = clean_title(text)

    variants = list_spelling_variants(title, language)

    assert {loose_key(variant, language) for variant in variants} <= {loose_key(title, language)}
    assert title not in variants
    assert len(variants) <= MAX_VARIANTS
    assert sum(map(len, variants)) <= MAX_VARIANTS_LENGTH


REPLIES: tuple[tuple[list[ArticleReply], ArticleReply | None], ...] = (
    ([FOUND], FOUND),
    ([DOWN, FOUND], FOUND),
    ([MISSING, FOUND], FOUND),
    ([MISSING, BARE], BARE),
    ([BARE, MISSING], BARE),
    ([MISSING, MISSING], MISSING),
    ([MISSING, DOWN], None),
    ([DOWN], None),
    ([], None),
)


def test_the_best_reply_is_chosen_and_an_unreachable_source_does_not_mean_no_article() -> None:
    for replies, expected in REPLIES:
        assert choose_reply(replies) == expected, replies


def test_a_found_article_is_cached_longer() -> None:
    lifetimes = CacheLifetimes(found=100, missing=10)
    replies = ([FOUND], [MISSING, FOUND], [DOWN, FOUND], [MISSING], [BARE])
    assert [choose_lifetime(each, lifetimes) for each in replies] == [100, 100, 10, 10, 10]


def test_an_article_is_fresh_until_its_renewal_time() -> None:
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
