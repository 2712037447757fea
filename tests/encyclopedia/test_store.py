from functools import partial

from msgspec import structs

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.wiki_rate_limit import WikiState
from abhidhan.platform.database.database import Database
from abhidhan.records.encyclopedia_articles import Article, ArticleOutcome

ADDRESS = "https://example.org/api.php"
ARTICLE = Article(
    language_id=2,
    key="অসম",
    outcome=ArticleOutcome.FOUND,
    title="অসম",
    extract="অসম এখন ৰাজ্য।",
    url="https://as.wikipedia.org/wiki/অসম",
    source="Assamese Wikipedia",
    licence=None,
    disambiguation=True,
    retrieved=1_000,
    renew_after=2_000,
)


def save(database: Database, article: Article, forgotten_before: int = 0) -> None:
    database.write_now(partial(store.save_article, entry=article, delete_before=forgotten_before), public=False)


def read(database: Database, key: str) -> Article | None:
    return database.read_now(lambda reader: store.read_article(reader, 2, key))


def misses(count: int) -> list[Article]:
    return [
        structs.replace(ARTICLE, key=f"miss {number}", outcome=ArticleOutcome.NO_ARTICLE) for number in range(count)
    ]


def test_an_article_is_stored_unchanged_and_replaced_by_a_newer_one(database: Database) -> None:
    newer = structs.replace(ARTICLE, extract="", outcome=ArticleOutcome.NO_EXTRACT, licence="CC0", disambiguation=False)

    save(database, ARTICLE)
    assert read(database, "অসম") == ARTICLE
    save(database, newer)
    assert read(database, "অসম") == newer
    assert read(database, "অসমীয়া") is None


def test_keeping_articles_changes_no_public_answer(database: Database) -> None:
    before = database.version_now()

    save(database, ARTICLE)

    assert database.version_now() == before


def test_saving_an_article_deletes_some_old_misses_and_no_articles(database: Database) -> None:
    for article in (*misses(30), ARTICLE):
        save(database, article)

    save(database, structs.replace(ARTICLE, key="new", renew_after=9_000), forgotten_before=5_000)

    assert read(database, ARTICLE.key) == ARTICLE
    assert database.write_now(lambda writer: store.delete_articles(writer, only_missing=True)) == 10


def test_the_cache_can_be_emptied_in_whole_or_in_part(database: Database) -> None:
    fresh = structs.replace(ARTICLE, key="fresh", renew_after=9_000)
    for article in (*misses(3), ARTICLE, fresh):
        save(database, article)

    assert database.write_now(lambda writer: store.delete_articles(writer, only_missing=True)) == 3
    assert database.write_now(lambda writer: store.delete_articles(writer, stale_at=5_000)) == 1
    assert database.write_now(store.delete_articles) == 1


def test_headwords_are_listed_once_each(dictionary: Database) -> None:
    headwords = dictionary.read_now(lambda reader: list(store.iter_headwords(reader, 2)))

    assert len(headwords) == len(set(headwords)) > 50
    assert headwords == sorted(headwords)
    assert dictionary.read_now(lambda reader: store.find_headwords_by_loose_key(reader, "লৰা", 2)) == ["ল’ৰা"]


def test_the_state_of_a_wiki_is_stored_from_its_first_request(database: Database) -> None:
    wiki = WikiState(address=ADDRESS, free_at=1_790_000_000_000, failures=3)
    others = database.write_now(lambda writer: store.read_or_add_wikis(writer, ["", "https://example.net/api.php"]))

    assert database.write_now(lambda writer: store.read_or_add_wikis(writer, [ADDRESS])) == {
        ADDRESS: WikiState(address=ADDRESS)
    }
    database.write_now(lambda writer: store.save_wiki(writer, wiki))

    assert database.read_now(store.read_wikis) == others | {ADDRESS: wiki}
    assert database.write_now(lambda writer: store.read_or_add_wikis(writer, [ADDRESS])) == {ADDRESS: wiki}
