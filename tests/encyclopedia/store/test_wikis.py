from abhidhan.encyclopedia.model.wiki_rate_limit import Wiki
from abhidhan.encyclopedia.store import wikis
from abhidhan.platform.database.database import Database

ADDRESS = "https://example.org/api.php"


def test_what_is_known_of_a_wiki_is_stored_from_its_first_turn_on(database: Database) -> None:
    wiki = Wiki(address=ADDRESS, free_at=1_790_000_000_000, failures=3)
    others = database.write_now(lambda writer: wikis.read_or_add(writer, ["", "https://example.net/api.php"]))

    assert database.write_now(lambda writer: wikis.read_or_add(writer, [ADDRESS])) == {ADDRESS: Wiki(address=ADDRESS)}
    database.write_now(lambda writer: wikis.save(writer, wiki))

    assert database.read_now(wikis.read) == others | {ADDRESS: wiki}
    assert database.write_now(lambda writer: wikis.read_or_add(writer, [ADDRESS])) == {ADDRESS: wiki}
