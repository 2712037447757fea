import asyncio
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from abhidhan.encyclopedia.service.articles import Encyclopedia
from abhidhan.encyclopedia.service.mediawiki import MediaWiki
from abhidhan.platform.database.database import Database
from abhidhan.records.encyclopedia_articles import Article, ArticleOutcome
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.encyclopedia import NO_DELAYS, RULES

pytestmark = pytest.mark.thorough

IDS = {"en": 1, "as": 2, "bn": 22}


@pytest.fixture
def database(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open an empty database: which engine keeps the cache makes no difference to a wiki."""
    with open_database(sqlite_databases, leave_empty) as database:
        yield database


def show(database: Database, wikis: Mapping[str, str], language: str, title: str) -> Article:
    """Show one article of the real wikis."""

    async def ask() -> Article:
        async with encyclopedia.running():
            return await encyclopedia.get_article(IDS[language], title)

    sources = {
        IDS[code]: [MediaWiki(address, contact="tests", connect_seconds=60, total_seconds=120)]
        for code, address in wikis.items()
    }
    encyclopedia = Encyclopedia(database, sources, RULES._replace(max_wait_seconds=180), NO_DELAYS)
    return asyncio.run(ask())


SPELLINGS: Final[tuple[tuple[tuple[str, str], str, str], ...]] = (
    (
        ("en", "assam"),
        "Assam",
        "Assam (Assamese: অসম) is a state in India. Dr. B. K. Das lived there.\nIts largest city is Guwahati.",
    ),
    (("en", "Asom"), "Assam", "Assam (Assamese: অসম)"),
    (("en", "Kamarupa"), "Assam", "Assam (Assamese: অসম)"),
    (("en", "new_delhi"), "New Delhi", "New Delhi is the capital of India."),
    (("en", "NEW DELHI"), "New Delhi", "New Delhi is the capital of India."),
    (("as", "Assam"), "অসম", "অসম (ইংৰাজী: Assam) উত্তৰ-পূব ভাৰতৰ এখন ৰাজ্য। ইয়াৰ ৰাজধানী দিছপুৰ।"),
    (("as", "ল’ৰা"), "ল’ৰা", "ল’ৰা মানে পুত্ৰ সন্তান।"),
    (("as", "ল'ৰা"), "ল’ৰা", "ল’ৰা মানে পুত্ৰ সন্তান।"),
    (("as", "লৰা"), "ল’ৰা", "ল’ৰা মানে পুত্ৰ সন্তান।"),
    (("as", "লরা"), "ল’ৰা", "ল’ৰা মানে পুত্ৰ সন্তান।"),
    (("as", "ক’লা"), "ক'লা", "ক'লা এটা ৰং।"),
    (("as", "রাজ্য"), "ৰাজ্য", "ৰাজ্য দেশৰ এটা ভাগ।"),
    (("as", "গড়গাঁও"), "গড়গাঁও", "গড়গাঁও আহোমৰ ৰাজধানী আছিল।"),
    (("as", "গ\u09dcগাওঁ"), "গড়গাঁও", "গড়গাঁও আহোমৰ ৰাজধানী আছিল।"),
    (("bn", "বাংলা"), "বাংলা ভাষা", "বাংলা ভাষা একটি ভাষা। এটি বাংলাদেশের ভাষা।"),
    (("bn", "ৰাজ্য"), "রাজ্য", "রাজ্য একটি বিভাগ।"),
)


def test_articles_are_found_in_every_spelling_of_their_titles(
    database: Database, mediawiki: Mapping[str, str], subtests: pytest.Subtests
) -> None:
    for asked, title, extract in SPELLINGS:
        with subtests.test(" ".join(asked)):
            language = asked[0]

            article = show(database, mediawiki, *asked)

            assert (article.outcome, article.title) == (ArticleOutcome.FOUND, title)
            assert article.extract.startswith(extract)
            assert (article.source, article.licence) == (f"Test wiki ({language})", "CC BY-SA 4.0")
            assert article.url is not None
            assert article.url.startswith(mediawiki[language].removesuffix("api.php") + "index.php")


WITHOUT_TEXT: Final[tuple[tuple[str, str, ArticleOutcome], ...]] = (
    ("en", "Nothing of the sort", ArticleOutcome.NO_ARTICLE),
    ("en", "Empty", ArticleOutcome.NO_EXTRACT),
    ("en", "Only headings", ArticleOutcome.NO_EXTRACT),
    ("as", "খালী", ArticleOutcome.NO_EXTRACT),
    ("en", "Talk:Assam", ArticleOutcome.NO_ARTICLE),
    ("en", "Special:Version", ArticleOutcome.NO_ARTICLE),
    ("en", "Assam|Empty", ArticleOutcome.NO_ARTICLE),
    ("en", "%41ssam", ArticleOutcome.NO_ARTICLE),
    ("en", "../Assam", ArticleOutcome.NO_ARTICLE),
    ("en", "&titles=Assam", ArticleOutcome.NO_ARTICLE),
    ("en", "~~~~", ArticleOutcome.NO_ARTICLE),
    ("bn", "অ" * 200, ArticleOutcome.NO_ARTICLE),
)


def test_missing_and_empty_articles_have_no_text(database: Database, mediawiki: Mapping[str, str]) -> None:
    for language, title, outcome in WITHOUT_TEXT:
        article = show(database, mediawiki, language, title)

        assert (article.outcome, article.extract) == (outcome, ""), title


def test_disambiguation_pages_are_recognized(database: Database, mediawiki: Mapping[str, str]) -> None:
    assert show(database, mediawiki, "en", "Mercury").disambiguation
    assert show(database, mediawiki, "as", "পানী (দ্ব্যৰ্থতা)").disambiguation
    assert not show(database, mediawiki, "en", "Assam").disambiguation


def test_a_long_article_is_cut_at_a_sentence(database: Database, mediawiki: Mapping[str, str]) -> None:
    extract = show(database, mediawiki, "en", "Long").extract

    assert RULES.max_extract_length - 120 < len(extract) <= RULES.max_extract_length
    assert extract.endswith("becomes long.")
