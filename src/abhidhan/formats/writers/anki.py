"""Writer of Anki decks: card sets as an .apkg file. Importing a set again updates its notes."""

import hashlib
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

import genanki

from abhidhan.formats.writers.export_source import (
    MAX_CARD_RECORDINGS,
    DeckRecording,
    ExportRecording,
    ExportRecordings,
    ExportSource,
    SpokenText,
    add_file,
    escape,
    get_sound_name,
)
from abhidhan.records.kinds import CardRecord, CardSetRecord
from assamese.romanize import romanize

MODEL_ID: Final = 1_732_049_151
"""Permanent ID of our note type, by which Anki recognises the notes of earlier imports."""

MIN_DECK_ID: Final = 1 << 30

ASSAMESE: Final = "as"

NOTE_FIELDS: Final = ("Clue", "Roman", "Picture", "Answer", "Source")
FRONT_TEMPLATE: Final = '<div class="clue">{{Clue}}</div><div class="roman">{{Roman}}</div>'
BACK_TEMPLATE: Final = (
    '{{FrontSide}}<hr id="answer"><div class="picture">{{Picture}}</div><div>{{Answer}}</div>'
    '<div class="source">{{Source}}</div>'
)
CARD_STYLE: Final = (
    ".card{font-family:sans-serif;font-size:24px;text-align:center}.clue{font-size:36px}"
    ".picture{font-size:64px}.roman{color:#666}.source{margin-top:2em;font-size:12px;color:#666}"
)


FindRecordings = Callable[[Collection[SpokenText]], Mapping[SpokenText, Sequence[DeckRecording]]]
"""Function that returns the recordings of words."""


def find_no_recordings(_: Collection[SpokenText]) -> Mapping[SpokenText, Sequence[DeckRecording]]:
    """Return no recordings."""
    return MappingProxyType({})


_MODEL = genanki.Model(
    MODEL_ID,
    "Abhidhan",
    fields=[{"name": name} for name in NOTE_FIELDS],
    templates=[{"name": "Clue to answer", "qfmt": FRONT_TEMPLATE, "afmt": BACK_TEMPLATE}],
    css=CARD_STYLE,
)


def write_anki(export: ExportSource, target: Path) -> None:
    """Write every card set as a deck."""
    sources = {source.code: f"{source.name}. {source.licence}" for source in export.sources}
    find_recordings = _build_recording_finder(export.recordings) if export.recordings else find_no_recordings
    write_decks(list(export.card_sets()), sources, export.moment, target, find_recordings)


def _build_recording_finder(recordings: ExportRecordings) -> FindRecordings:
    def build_deck_recording(recording: ExportRecording) -> DeckRecording:
        return DeckRecording(get_sound_name(recording.id), lambda: recordings.read(recording.id), recording.credit)

    return lambda words: {
        word: [build_deck_recording(recording) for recording in word_recordings[:MAX_CARD_RECORDINGS]]
        for word, word_recordings in recordings.find_by_words(words).items()
    }


def write_decks(  # noqa: PLR0913, PLR0917  # the parts of decks
    card_sets: list[CardSetRecord],
    sources: dict[str, str],
    moment: int,
    target: Path,
    find_recordings: FindRecordings = find_no_recordings,
    romanizations: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write card sets as decks.

    `sources` maps codes to credits; recordings from `find_recordings` are played with the answer. `romanizations`
    is for answers in sets without a language; other Assamese sides are romanized by rule.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        packed = Path(folder) / "packed.apkg"
        recordings = _RecordingFiles(Path(folder), find_recordings)
        decks = [
            _build_deck(card_set, sources.get(card_set.source, card_set.source), recordings, romanizations)
            for card_set in card_sets
        ]
        genanki.Package(decks, media_files=recordings.paths).write_to_file(str(packed), timestamp=float(moment))
        # Repacked, since genanki's archive contains the time of its creation.
        with zipfile.ZipFile(packed) as package, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as output:
            for name in sorted(package.namelist()):
                add_file(output, name, package.read(name))


class _RecordingFiles:
    """Writer of the recordings of decks into files for the package, each once."""

    def __init__(self, folder: Path, find_recordings: FindRecordings) -> None:
        self._folder = folder
        self._find_recordings = find_recordings
        self._availability: dict[str, bool] = {}

    @property
    def paths(self) -> list[str]:
        return [str(self._folder / name) for name, is_there in self._availability.items() if is_there]

    def find_for_set(self, card_set: CardSetRecord) -> Mapping[SpokenText, Sequence[DeckRecording]]:
        """Return the available recordings of a set's words."""
        recordings = self._find_recordings([text for card in card_set.cards for text in _get_sides(card_set, card)])
        return {
            text: [recording for recording in sounds if self._write_once(recording)]
            for text, sounds in recordings.items()
        }

    def _write_once(self, sound: DeckRecording) -> bool:
        """Write a recording if necessary; return whether it is available."""
        if sound.name not in self._availability:
            body = sound.read()
            self._availability[sound.name] = body is not None
            if body is not None:
                (self._folder / sound.name).write_bytes(body)
        return self._availability[sound.name]


def _get_sides(card_set: CardSetRecord, card: CardRecord) -> tuple[SpokenText, SpokenText]:
    # The language matters: a word may have the same spelling in another one, but not the same sound.
    return SpokenText(card_set.language, card.clue), SpokenText(card_set.answer_language, card.answer)


def _build_deck(
    card_set: CardSetRecord, source: str, recordings: _RecordingFiles, romanizations: Mapping[str, str]
) -> genanki.Deck:
    name = f"{card_set.source}:{card_set.key}"
    deck = genanki.Deck(_derive_deck_id(name), f"Abhidhan::{card_set.name}", _escape_field(card_set.description or ""))
    sounds_by_text = recordings.find_for_set(card_set)
    counts: Counter[str] = Counter()
    for card in card_set.cards:
        identity = _load_earlier_ideas().get((name, card.clue)) or card.idea or card.clue
        counts[identity] += 1
        # A further card with the same idea or clue is another note.
        number = (str(counts[identity]),) if counts[identity] > 1 else ()
        # Recordings of both sides are played with the answer; played before, they would reveal it.
        sounds = [sound for text in dict.fromkeys(_get_sides(card_set, card)) for sound in sounds_by_text.get(text, ())]
        sound_tags = "".join(f"[sound:{sound.name}]" for sound in sounds)
        voice_credits = dict.fromkeys(f". Voice: {sound.credit}" for sound in sounds if sound.credit)
        roman = card.roman or _romanize(card.clue, card_set.language)
        answer_roman = romanizations.get(card.answer) or _romanize(card.answer, card_set.answer_language)
        fields = (card.clue, roman, card.picture or "", source + "".join(voice_credits))
        clue, roman, picture, credit = map(_escape_field, fields)
        deck.add_note(
            genanki.Note(
                model=_MODEL,
                # Not in fields of their own, since other fields would make a new note type, unrelated to existing
                # notes.
                fields=[clue, roman, picture, _format_answer(card.answer, answer_roman) + sound_tags, credit],
                guid=genanki.guid_for(name, identity, *number),
            )
        )
    return deck


def _romanize(text: str, language: str) -> str:
    return romanize(text) if language == ASSAMESE else ""


def _format_answer(text: str, roman: str) -> str:
    return f'{_escape_field(text)}<div class="roman">{_escape_field(roman)}</div>' if roman else _escape_field(text)


def _escape_field(text: str) -> str:
    """Escape a text so that Anki finds neither markup nor `[sound:`, `[latex]` or `[$]` in it."""
    return escape(text).replace("[", "&#91;")


@cache
def _load_earlier_ideas() -> Mapping[tuple[str, str], str]:
    """Return the ideas that cards of the starter dictionary had before ideas were merged; note IDs derive from them."""
    lines = files("abhidhan.formats.writers").joinpath("anki_ideas.tsv").read_text("utf-8").splitlines()[1:]
    return {(card_set, clue): idea for card_set, clue, idea in (line.split("\t") for line in lines)}


def _derive_deck_id(name: str) -> int:
    """Derive the permanent ID of a deck from its name."""
    return MIN_DECK_ID + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % MIN_DECK_ID
