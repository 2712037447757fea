"""Fixtures for pages: the application with the sample and some words that are hard to display."""

from collections.abc import Callable, Iterator

import pytest

from abhidhan.app.asgi import create_application
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    WordRecord,
)
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from tests.support.asgi import AsgiResponse, ask
from tests.support.contributions import Site
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.many_senses import wide_records
from tests.support.page import Page
from tests.support.pages import open_pages, sign_in
from tests.support.sample import NOW

HOSTILE = "<script>alert('&amp;\"')</script>"
WORD_WITH_SLASH = "km/h"
SYNONYMS = tuple(f"সমাৰ্থক{'ক' * count}" for count in range(1, 29))
LONG_WORD = "অ" * 100
ALONE = "একাকী"
WORD_WITH_STAR = "C*"

HARD_RECORDS: tuple[Record, ...] = (
    IdeaRecord(
        "sample",
        "hostile",
        "Common Noun",
        (
            WordRecord("en", HOSTILE, origin=HOSTILE, reference=HOSTILE, note=HOSTILE, ipa=HOSTILE),
            WordRecord("as", "বিপদ", roman=HOSTILE, plural=HOSTILE),
        ),
        glyph="<b>",
        definitions=(DefinitionRecord("en", HOSTILE),),
        examples=(ExampleRecord("as", HOSTILE, HOSTILE),),
    ),
    IdeaRecord("sample", "speed", "Common Noun", (WordRecord("en", WORD_WITH_SLASH), WordRecord("as", "বেগ"))),
    IdeaRecord("sample", "synonyms", "Common Noun", tuple(WordRecord("as", word) for word in SYNONYMS)),
    IdeaRecord("sample", "long", "Common Noun", (WordRecord("as", LONG_WORD), WordRecord("en", "W" * 200))),
    IdeaRecord("sample", "starred", "Common Noun", (WordRecord("en", WORD_WITH_STAR),)),
    IdeaRecord("sample", "alone", None, (WordRecord("as", ALONE),)),
    PhraseRecord("sample", "hostile", "as", f"পানী {HOSTILE}", "Fokora (ফকৰা)", HOSTILE, HOSTILE),
    CardSetRecord("sample", "hostile", HOSTILE, "as", "en", HOSTILE, (CardRecord(HOSTILE, HOSTILE, HOSTILE),)),
)


def load_hard_words(database: Database) -> None:
    """Load the sample, and words that are hard to display."""
    load_sample(database)
    records = (*wide_records(), *HARD_RECORDS)
    loaded = import_records(database, (LocatedRecord("hard", line, each) for line, each in enumerate(records)), now=NOW)
    assert not loaded.errors, loaded.errors


Ask = Callable[..., AsgiResponse]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def ask_page(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Send requests to the application, like `ask`."""
    with open_database(sqlite_databases, load_hard_words) as database:
        settings = Settings(home=tmp_path_factory.mktemp("home"), base_url="https://dictionary.example")
        settings.run_folder.mkdir()
        application = create_application(settings, database)

        def ask_site(path: str, query: str = "", **rest: object) -> AsgiResponse:
            return ask(application, path, query, **rest)

        yield ask_site


@pytest.fixture(scope="session")
def page(ask_page: Ask) -> OpenPage:
    """Open and parse a page of the application; fail unless it is HTML with the expected status."""

    def open_page(path: str, query: str = "", *, status: int = 200, **rest: object) -> Page:
        answer = ask_page(path, query, **rest)
        assert answer.status == status, answer.body[:300]
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        return Page(answer.body.decode())

    return open_page


@pytest.fixture(scope="session")
def unchanged_site(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Open the whole application with a reader, an editor and a contributor, for all tests that change nothing."""
    with open_pages(sqlite_databases, tmp_path_factory.mktemp("unchanged")) as site:
        sign_in(site, "anil", Role.CONTRIBUTOR)
        yield site
