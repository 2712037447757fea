from msgspec import structs

from abhidhan.domain.wikis import Wiki
from abhidhan.storage import wikis
from abhidhan.storage.engine.database import Database

ADDRESS = "https://example.org/api.php"


def test_a_wiki_is_known_from_its_first_turn_on(database: Database) -> None:
    assert database.read_now(wikis.read) == {}
    assert database.write_now(lambda writer: wikis.read_or_add(writer, ADDRESS)) == {ADDRESS: Wiki(address=ADDRESS)}
    assert database.read_now(wikis.read) == {ADDRESS: Wiki(address=ADDRESS)}


def test_what_is_known_of_a_wiki_is_kept(database: Database) -> None:
    wiki = Wiki(address=ADDRESS, holder="me", held_until=1, asked=2, closed_until=1_790_000_000_000, failures=3)
    database.write_now(lambda writer: wikis.read_or_add(writer, ADDRESS))
    database.write_now(lambda writer: wikis.read_or_add(writer, "https://example.net/api.php"))

    database.write_now(lambda writer: wikis.save(writer, wiki))

    assert database.read_now(wikis.read)[ADDRESS] == wiki
    again = database.write_now(lambda writer: wikis.read_or_add(writer, ADDRESS))[ADDRESS]
    assert structs.asdict(again) == structs.asdict(wiki)
