"""An edition of small files, one of which was removed, without a dictionary of which they would be made."""

import hashlib
from pathlib import Path

import msgspec

from abhidhan.domain.records import SourceRecord
from abhidhan.services.exchange import editions, made_folder
from abhidhan.services.exchange.download_files import LIST_FILE, VOICES_FILE, Download, Downloads
from abhidhan.services.exchange.edition_lists import read_editions
from abhidhan.services.exchange.edition_requests import Wanted, remove_from_editions
from tests.support.sample import NOW

CONTENTS = {"abhidhan.csv": b"word,language\n", "abhidhan-as.csv": "পানী,as\n".encode()}
SOURCES = (SourceRecord("a", "Starter dictionary", "Apache-2.0", url="https://abhidhan.example.org/"),)
REASON = "Removed at the request of the rights holder."


def keep_an_edition(folder: Path) -> str:
    """Offer two files, keep them as an edition, remove the second from it, and return the name of the edition."""
    files = tuple(
        Download("csv", name, "text/csv", "a table", len(body), hashlib.sha256(body).hexdigest(), "Apache-2.0", ("as",))
        for name, body in CONTENTS.items()
    )
    downloads = Downloads(0, NOW, files, sources=SOURCES)
    with made_folder.made_alone(folder):
        made = made_folder.begin(folder, NOW)
        for name, body in {**CONTENTS, VOICES_FILE: b"{}", LIST_FILE: msgspec.json.encode(downloads)}.items():
            made_folder.write(made / name, body)
        made_folder.offer(folder, made)
        editions.keep(folder, downloads, 12)
    (edition,) = read_editions(folder)
    remove_from_editions(folder, Wanted((edition.name,), files=("abhidhan-as.csv",), reason=REASON), NOW)
    return edition.name
