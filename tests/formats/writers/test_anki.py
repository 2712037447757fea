"""Decks for Anki: notes keep their names, and texts are texts."""

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import genanki
import msgspec

from abhidhan.formats.writers.anki import write_decks
from abhidhan.records.kinds import CardRecord, CardSetRecord

CARDS = CardSetRecord(
    "test",
    "one",
    "One",
    "en",
    "as",
    "<img src=x onerror=alert(1)> [latex]x[/latex]",
    (
        CardRecord("water", "পানী"),
        CardRecord("water", "জল"),
        CardRecord(
            "[sound:abhidhan-7.mp3]", "[latex]\\input{/etc/passwd}[/latex]", roman="[$]x[/$]", picture="[anki:x]"
        ),
        CardRecord("elephant", "হাতী", idea="test:elephant"),
    ),
)


def write_and_read(folder: Path, *sets: CardSetRecord) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """Write decks, and read the notes (GUID, fields) and the decks by their names."""
    write_decks(list(sets), {}, 1_700_000_000, folder / "a.apkg")
    with zipfile.ZipFile(folder / "a.apkg") as made:
        (folder / "collection").write_bytes(made.read("collection.anki2"))
    with closing(sqlite3.connect(folder / "collection")) as connection:
        notes = connection.execute("SELECT guid, flds FROM notes ORDER BY id").fetchall()
        (decks,) = connection.execute("SELECT decks FROM col").fetchone()
    return notes, {deck["name"]: deck for deck in json.loads(decks).values()}


def test_the_first_card_of_a_clue_keeps_its_guid_and_later_ones_have_their_own(tmp_path: Path) -> None:
    notes, _ = write_and_read(tmp_path, CARDS)

    assert notes[0][0] == genanki.guid_for("test:one", "water")
    assert notes[3][0] == genanki.guid_for("test:one", "test:elephant")
    assert len({guid for guid, _ in notes}) == 4


def test_guids_of_notes_survive_renaming_sets_and_merging_ideas(tmp_path: Path) -> None:
    before, _ = write_and_read(tmp_path, CARDS)
    after, _ = write_and_read(tmp_path, msgspec.structs.replace(CARDS, name="Another name"))

    assert [guid for guid, _ in after] == [guid for guid, _ in before]

    merged = CardSetRecord(
        "abhidhan", "countries", "C", "en", "as", None, (CardRecord("Bhutan", "ভূটান", idea="new:key"),)
    )

    notes, _ = write_and_read(tmp_path, merged)

    assert notes[0][0] == genanki.guid_for("abhidhan:countries", "cldr:region-BT")


def test_assamese_is_romanized_on_both_sides(tmp_path: Path) -> None:
    cards = (CardRecord("বৰ", "সৰু"), CardRecord("ডাঙৰ", "জল", roman="by an editor"))
    opposites = CardSetRecord("test", "two", "Two", "as", "as", None, cards)

    notes, _ = write_and_read(tmp_path, opposites, CARDS)

    assert notes[0][1].split("\x1f")[:4] == ["বৰ", "bor", "", 'সৰু<div class="roman">xo.ru</div>']
    assert notes[1][1].split("\x1f")[1] == "by an editor"
    assert notes[2][1].split("\x1f")[:4] == ["water", "", "", 'পানী<div class="roman">pa.ni</div>']


def test_no_field_or_description_plays_or_runs_anything(tmp_path: Path) -> None:
    notes, decks = write_and_read(tmp_path, CARDS)

    fields = "".join(text for _, text in notes)
    assert "[" not in fields
    assert "&#91;sound:abhidhan-7.mp3]" in fields
    assert decks["Abhidhan::One"]["desc"] == "&lt;img src=x onerror=alert(1)&gt; &#91;latex]x&#91;/latex]"
