"""Pages that only read are answered while another program writes: an import, a backup's restoring, a second worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, update

from abhidhan.people.service.sessions import SEEN_INTERVAL_SECONDS
from abhidhan.platform.database.postgresql import READ_ONLY_OPTION
from abhidhan.records.errors import AbhidhanError
from abhidhan.records.people import Role
from abhidhan.schema import session
from tests.contributions.pages.test_review import CORRECTION, QUEUE, WORD
from tests.editing.pages.test_editing import fields_of_form
from tests.people.pages.test_account import shown
from tests.support.contributions import PASSWORD, Site, read_session_token
from tests.support.databases import Databases
from tests.support.pages import open_pages, send_form
from tests.support.writers import hold_write_lock

EDITED = (
    "/edit/word/1",
    "/edit/idea/1",
    "/edit/proverb/1",
    "/edit/card/1",
    "/edit/set/1",
    "/edit/lists/POS",
    "/edit/history/1?of=word:1",
)
REVIEWED = (QUEUE, f"{QUEUE}/1", f"{QUEUE}/2", f"{QUEUE}/3", "/review/photos", "/account")
READ_TO_EDIT = ("/api/editing/words/1", "/api/editing/ideas/1", "/api/words/1/history", "/api/ideas/1/history")


@pytest.fixture
def begun() -> Iterator[list[Connection]]:
    """List the transactions that begin.

    Whoever began to listen later would be in the way of the application's own work, which has its own thread.
    """
    begun: list[Connection] = []
    append = begun.append  # each `begun.append` is another object, and would not be found to be removed
    event.listen(Engine, "begin", append)
    yield begun
    event.remove(Engine, "begin", append)


@pytest.fixture
def site(databases: Databases, tmp_path: Path, begun: list[Connection]) -> Iterator[Site]:  # noqa: ARG001 (before it)
    """Open the whole application, once on each engine: a word and two corrections wait in it."""
    with open_pages(databases, tmp_path) as site:
        site.add("anil", Role.CONTRIBUTOR, signed_in=False)
        site.cookies["anil"] = read_session_token(
            send_form(site, "/account/sign-in", {"username": "anil", "password": PASSWORD})
        )
        send_form(site, "/account/submit/word", WORD, by="anil")
        for fact, proposed in (("word.roman", "paani"), ("word.origin", "Sanskrit")):
            page = shown(site.ask("GET", f"{CORRECTION}?word=1&fact={fact}", by="anil"))
            send_form(site, CORRECTION, fields_of_form(page) | {"proposed": proposed}, by="anil")
        yield site


def test_pages_that_only_read_are_answered_while_another_program_writes(site: Site) -> None:
    pages = (*EDITED, *REVIEWED, *READ_TO_EDIT)

    with hold_write_lock(site.database):
        answers = {page: site.ask("GET", page, by="editor").status for page in pages}

    assert answers == dict.fromkeys(pages, 200)


def test_a_review_page_with_several_corrections_begins_no_writing_transaction(
    site: Site, begun: list[Connection]
) -> None:
    def writings() -> int:
        begun.clear()
        page = shown(site.ask("GET", QUEUE, by="editor"))
        assert "Sanskrit" in page.main
        assert begun, "what reads is heard, too"
        return sum(not each.get_execution_options().get(READ_ONLY_OPTION) for each in begun)

    # The application that has just begun forgets what is old, whenever it comes to it: not with each of ten pages.
    assert min(writings() for _ in range(10)) == 0


def test_a_person_who_was_away_is_answered_while_another_program_writes(site: Site) -> None:
    ago = update(session).values(seen=session.c.seen - 2 * SEEN_INTERVAL_SECONDS)
    site.database.write_now(lambda connection: connection.execute(ago), public=False)

    with hold_write_lock(site.database):
        answers = [site.ask("GET", "/account", by="editor").status for _ in range(3)]

    assert answers == [200, 200, 200]


def test_a_reading_transaction_cannot_write(site: Site) -> None:
    with pytest.raises(AbhidhanError):
        site.run(site.database.read_transaction(lambda connection: connection.execute(update(session).values(seen=1))))
