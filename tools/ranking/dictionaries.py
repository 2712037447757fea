"""The larger dictionary for measuring ranking: the starter with 20,000 more Assamese words from many lists.

It resembles a community's dictionary, in which some imported words have a translation, and most are stubs. It is built
from the shared data by the program's own import, cached in the build folder, and rebuilt when its sources change.
Nothing of it is committed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from abhidhan.exchange.service.importing import import_records
from abhidhan.formats.jsonl import read_jsonl
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.records.import_records import LocatedRecord, RecordError
from assamese.keys import exact_key
from tools.evaluate import read_small_starter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BUILD_FOLDER: Final = Path(__file__).resolve().parents[2] / "build" / "ranking"
PART_OF_SPEECH: Final = "Common Noun"
LICENCES: Final = {
    "iecor": "CC-BY-4.0",
    "wiktionary_concepts": "CC-BY-SA-3.0",
    "gatitos": "CC-BY-4.0",
    "unimorph_asm": "CC-BY-SA-3.0",
    "hunspell_as": "GPL-2.0 OR LGPL-2.1 OR MPL-1.1",
}
"""The source sets with their licences. The built dictionary is never distributed."""

_ROOT: Final = Path(__file__).resolve().parents[2]
_SOURCE_FOLDERS: Final = (_ROOT / "src", _ROOT / "packages/assamese/src")


class ExtraWord(NamedTuple):
    """A word added to the starter, with its source set and its English translation, if the set has one."""

    text: str
    source: str
    english: str = ""


def read_extra_words(data: Path, existing: Iterable[str]) -> list[ExtraWord]:
    """Return each word of the sets once, with a translation if any set has one, without those `existing` by exact key.

    Of several translations, that of the first set is used.
    """
    seen = set(existing)
    words = []
    for word in (*_iter_translated_words(data), *_iter_untranslated_words(data)):
        text = " ".join(unicodedata.normalize("NFC", word.text).split())
        key = exact_key(text)
        if key and key not in seen:
            seen.add(key)
            words.append(word._replace(text=text))
    return words


def _iter_translated_words(data: Path) -> Iterator[ExtraWord]:
    for row in _read_rows(data / "iecor" / "DERIVED_aligned.tsv"):
        for text in row["as"].split("|"):
            yield ExtraWord(text, "iecor", row["en"].split("|")[0] or row["concept"])
    for row in _read_rows(data / "wiktionary_concepts" / "DERIVED_aligned.tsv"):
        yield ExtraWord(row["as"], "wiktionary_concepts", row["en"])
    for line in _read_lines(data / "gatitos" / "en_as.tsv"):
        english, assamese = line.split("\t")[:2]
        for text in assamese.split("|"):
            yield ExtraWord(text, "gatitos", english)


def _iter_untranslated_words(data: Path) -> Iterator[ExtraWord]:
    for name in ("asm_large.train", "asm.dev"):
        for line in _read_lines(data / "unimorph_asm" / name):
            yield ExtraWord(line.split("\t")[0], "unimorph_asm")
    for line in _read_lines(data / "hunspell_as" / "wordlist.txt"):
        yield ExtraWord(line, "hunspell_as")


def _read_rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _read_lines(file: Path) -> Iterator[str]:
    return (line for line in file.read_text(encoding="utf-8").splitlines() if line.strip())


def encode_words(words: Iterable[ExtraWord]) -> bytes:
    """Encode words as JSON Lines records to import, one idea for each word."""
    words = list(words)
    sources = [
        {"record": "source", "code": code, "name": code, "licence": LICENCES[code]}
        for code in sorted({word.source for word in words})
    ]
    ideas = [_make_idea(number, word) for number, word in enumerate(words)]
    return b"".join(msgspec.json.encode(record) + b"\n" for record in (*sources, *ideas))


def _make_idea(number: int, word: ExtraWord) -> dict[str, object]:
    english = [{"language": "en", "text": word.english}] if word.english else []
    spelled = [*english, {"language": "as", "text": word.text}]
    key = f"ranking-{number}"
    return {"record": "idea", "source": word.source, "key": key, "pos": PART_OF_SPEECH, "words": spelled}


# --- database ---------------------------------------------------------------------------------------------------------


@contextmanager
def open_larger(
    data: Path,
    folder: Path = BUILD_FOLDER,
    starter: Callable[[], Iterator[LocatedRecord | RecordError]] = read_small_starter,
) -> Iterator[Database]:
    """Open the starter dictionary with the words of the sets added; build it first if it is not cached."""
    records = encode_words(read_extra_words(data, collect_headwords(starter())))
    file = folder / f"larger-{_fingerprint(records)}.sqlite"
    if not file.exists():
        _build_database(file, starter, records)
    with Database(f"sqlite:///{file}") as database:
        yield database


def collect_headwords(records: Iterable[LocatedRecord | RecordError]) -> frozenset[str]:
    """Return the exact keys of the Assamese words in records."""
    ideas = (parsed.record for parsed in records if isinstance(parsed, LocatedRecord))
    words = (word for idea in ideas for word in getattr(idea, "words", ()))
    return frozenset(exact_key(word.text) for word in words if word.language == "as")


def _build_database(file: Path, starter: Callable[[], Iterator[LocatedRecord | RecordError]], records: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    for old in file.parent.glob("larger-*"):
        old.unlink()
    unfinished = file.with_name("unfinished.sqlite")
    unfinished.unlink(missing_ok=True)
    prepare_database(f"sqlite:///{unfinished}", file.parent)
    with Database(f"sqlite:///{unfinished}") as database:
        import_records(database, starter(), now=0)
        loaded = import_records(database, read_jsonl(io.BytesIO(records), "ranking.jsonl"), now=0)
        if loaded.rejected:
            message = f"{loaded.rejected} words were rejected: {loaded.errors[:3]}"
            raise RuntimeError(message)
    unfinished.rename(file)


def _fingerprint(records: bytes) -> str:
    """Return a hash of the records and of the program's source, as its keys and tables may change."""
    digest = hashlib.blake2s(records, digest_size=8)
    for source in sorted(source for folder in _SOURCE_FOLDERS for source in folder.rglob("*")):
        if source.is_file() and source.suffix in {".py", ".toml", ".jsonl"}:
            digest.update(source.read_bytes())
    return digest.hexdigest()
