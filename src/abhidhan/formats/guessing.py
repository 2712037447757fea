"""Which format files are in, by their names and by how they begin."""

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from abhidhan.errors import InputError
from abhidhan.formats import pairs, wordnet
from abhidhan.formats.contents import as_buffered
from abhidhan.formats.files import open_contents
from abhidhan.formats.importers import IMPORTERS

MOST_LOOKED_AT: Final = 1000
"""Files of a folder or archive that are looked at."""

HEAD: Final = 4096

NAMES: Final = (
    ("wordnet", wordnet.FILES),
    ("omw", re.compile(r"wn-.*\.tab")),
    ("cldf", re.compile(r".*-metadata\.json")),
    ("stardict", re.compile(r".*\.ifo")),
    ("dsl", re.compile(r".*\.dsl", re.IGNORECASE)),
    ("dictd", re.compile(r".*\.index")),
    ("indowordnet", re.compile(r"all\.[a-z]+")),
    ("pairs", pairs.NAME),
    ("tei", re.compile(r".*\.tei")),
    ("lift", re.compile(r".*\.lift", re.IGNORECASE)),
)
"""Names by which a format is known at once, in the order in which they are tried."""

BEGINNINGS: Final = (
    ("wn-lmf", re.compile(rb"<LexicalResource\b")),
    ("tei", re.compile(rb"<TEI\b")),
    ("lift", re.compile(rb"<lift\b")),
    ("cldr", re.compile(rb'<ldml\b|^\s*\{\s*"(?:annotations|annotationsDerived|main)"')),
    ("wiktextract", re.compile(rb'^\s*\{.*"lang_code"\s*:')),
    ("jsonl", re.compile(rb"^\s*\{")),
    ("csv", re.compile(rb"^(?:\xef\xbb\xbf)?\s*\[\s*\{")),
    ("frequencies", re.compile(rb"^(?:\xef\xbb\xbf)?# running words|^(?:#[^\t\n]*\n)*word\tfrequency\t")),
)
"""How the files of other formats begin, in the order in which it is tried."""

TABLE: Final = re.compile(r".*\.(?:csv|tsv|tab|xlsx|xlsm|ods)", re.IGNORECASE)


def guess_format(paths: Sequence[Path]) -> str:
    """Return the format of files. Raises InputError where neither their names nor their beginnings tell it."""
    names: list[str] = []
    begun: list[bytes] = []
    for content in islice(open_contents(paths), MOST_LOOKED_AT):
        names.append(content.base_name)
        begun.append(as_buffered(content.stream).peek(HEAD)[:HEAD])
    found = next((name for name, pattern in NAMES if any(map(pattern.fullmatch, names))), None)
    found = found or next((name for name, pattern in BEGINNINGS if any(map(pattern.search, begun))), None)
    if found is None and any(map(TABLE.fullmatch, names)):
        found = "csv"
    if found is None:
        raise InputError.of(
            "format", f"Which format is it? Say it with --format; there are {', '.join(sorted(IMPORTERS))}."
        )
    return found
