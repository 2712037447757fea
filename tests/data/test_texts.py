"""Assamese and Roman texts of the starter are those that readers confirmed (`tools/readings`)."""

import csv
import unicodedata
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec

from abhidhan.records.kinds import CardRecord, CardSetRecord, IdeaRecord, PhraseRecord, Record, WordRecord
from assamese.romanize import Scheme, read_roman, romanize

READINGS = Path(__file__).parents[2] / "tools" / "readings"
DECODER = msgspec.json.Decoder(Record)
RECORDS = [
    DECODER.decode(line)
    for file in resources.files("abhidhan.data").iterdir()
    if file.name.endswith(".jsonl")
    for line in file.read_text("utf-8").splitlines()
]
PHRASES = {f"{each.source}:{each.key}": each for each in RECORDS if isinstance(each, PhraseRecord)}
CARD_SETS = {f"{each.source}:{each.key}": each for each in RECORDS if isinstance(each, CardSetRecord)}


class Spoken(NamedTuple):
    """A text that may have a romanization, and the key of its record."""

    key: str
    text: str
    roman: str | None
    ipa: str | None = None


def rows(name: str) -> list[dict[str, str]]:
    with (READINGS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def spoken() -> Iterator[Spoken]:
    for record in RECORDS:
        match record:
            case IdeaRecord():
                of_record: tuple[WordRecord | PhraseRecord | CardRecord, ...] = record.words
            case PhraseRecord():
                of_record = (record,)
            case CardSetRecord():
                of_record = record.cards
            case _:
                continue
        for each in of_record:
            text = each.clue if isinstance(each, CardRecord) else each.text
            yield Spoken(f"{record.source}:{record.key}", text, each.roman, getattr(each, "ipa", None))


def test_a_stored_romanization_was_read_and_differs_from_the_rule() -> None:
    stored = {(each.key, each.text): each.roman for each in spoken() if each.roman}

    assert stored == {(row["key"], row["word"]): row["roman"] for row in rows("romanizations.tsv")}
    assert [text for (_, text), roman in stored.items() if roman == romanize(text)] == []
    assert [each for each in spoken() if each.ipa] == []


def test_sayings_have_the_assamese_meanings_of_the_readings() -> None:
    given = {key: each.meanings[0].text for key, each in PHRASES.items() if each.meanings}

    assert given == {row["key"]: row["meaning"] for row in rows("saying_meanings.tsv")}
    assert all(each.meaning for each in PHRASES.values())


def test_sets_of_flashcards_have_names_and_descriptions_in_both_languages() -> None:
    given = {
        key: (each.name, each.description, each.names[0].text, each.descriptions[0].text)
        for key, each in CARD_SETS.items()
    }

    columns = ("name_en", "description_en", "name_as", "description_as")
    assert given == {row["key"]: tuple(row[column] for column in columns) for row in rows("card_set_names.tsv")}


def test_every_assamese_headword_is_read_back_from_its_letters() -> None:
    ideas = (record for record in RECORDS if isinstance(record, IdeaRecord))
    headwords = {word.text for idea in ideas for word in idea.words if word.language == "as"}
    assert len(headwords) > 8_000
    for scheme in (Scheme.ISO15919, Scheme.ALALC):
        written = {word: romanize(word, scheme) for word in headwords}

        assert [(word, roman) for word, roman in written.items() if read_roman(roman, scheme) != word] == []
        assert all(unicodedata.is_normalized("NFC", roman) for roman in written.values())
