"""An edition of small files, one of which was removed, without a dictionary of which they would be made."""

import hashlib

from abhidhan.domain.records import SourceRecord
from abhidhan.media.made_store import MadeStore
from abhidhan.services.exchange import editions, made_together
from abhidhan.services.exchange.download_files import VOICES_FILE, Download, Downloads
from abhidhan.services.exchange.downloads import LEASE
from abhidhan.services.exchange.edition_lists import read_editions
from abhidhan.services.exchange.edition_requests import Wanted, remove_from_editions
from abhidhan.storage.engine.database import Database
from tests.support.sample import NOW

CONTENTS = {"abhidhan.csv": b"word,language\n", "abhidhan-as.csv": "পানী,as\n".encode()}
SOURCES = (SourceRecord("a", "Starter dictionary", "Apache-2.0", url="https://abhidhan.example.org/"),)
REASON = "Removed at the request of the rights holder."


def keep_an_edition(database: Database, store: MadeStore) -> str:
    """Offer two files, keep them as an edition, remove the second from it, and return the name of the edition."""
    files = tuple(
        Download("csv", name, "text/csv", "a table", len(body), hashlib.sha256(body).hexdigest(), "Apache-2.0", ("as",))
        for name, body in CONTENTS.items()
    )
    downloads = Downloads(0, NOW, files, sources=SOURCES)
    with made_together.made_alone(database, store, LEASE) as held:
        assert held is not None
        making = made_together.Making(store, NOW)
        for name, body in {**CONTENTS, VOICES_FILE: b"{}"}.items():
            making.write(name, body)
        making.offer(database, held, downloads)
        editions.keep(store, downloads, 12)
    (edition,) = read_editions(store)
    remove_from_editions(database, store, Wanted((edition.name,), files=("abhidhan-as.csv",), reason=REASON), NOW)
    return edition.name
