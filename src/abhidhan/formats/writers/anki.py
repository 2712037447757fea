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
    sound_name,
)
from abhidhan.records.kinds import CardRecord, CardSetRecord
from assamese.romanize import romanize

MODEL_ID: Final = 1_732_049_151
"""Permanent ID of our note type, by which Anki recognises the notes of earlier imports."""

MIN_ID: Final = 1 << 30

ASSAMESE: Final = "as"

FIELDS: Final = ("Clue", "Roman", "Picture", "Answer", "Source")
FRONT: Final = '<div class="clue">{{Clue}}</div><div class="roman">{{Roman}}</div>'
BACK: Final = (
    '{{FrontSide}}<hr id="answer"><div class="picture">{{Picture}}</div><div>{{Answer}}</div>'
    '<div class="source">{{Source}}</div>'
)
STYLE: Final = (
    ".card{font-family:sans-serif;font-size:24px;text-align:center}.clue{font-size:36px}"
    ".picture{font-size:64px}.roman{color:#666}.source{margin-top:2em;font-size:12px;color:#666}"
)


FindRecordings = Callable[[Collection[SpokenText]], Mapping[SpokenText, Sequence[DeckRecording]]]
"""Function that returns the recordings of words."""


def no_recordings(_: Collection[SpokenText]) -> Mapping[SpokenText, Sequence[DeckRecording]]:
    """Return no recordings."""
    return MappingProxyType({})


_MODEL = genanki.Model(
    MODEL_ID,
    "Abhidhan",
    fields=[{"name": name} for name in FIELDS],
    templates=[{"name": "Clue to answer", "qfmt": FRONT, "afmt": BACK}],
    css=STYLE,
)


def write_anki(book: ExportSource, target: Path) -> None:
    """Write every card set as a deck."""
    sources = {source.code: f"{source.name}. {source.licence}" for source in book.sources}
    find_recordings = _recording_finder(book.voices) if book.voices else no_recordings
    write_decks(list(book.card_sets()), sources, book.moment, target, find_recordings)


def _recording_finder(voices: ExportRecordings) -> FindRecordings:
    def sound(voice: ExportRecording) -> DeckRecording:
        return DeckRecording(sound_name(voice.id), lambda: voices.read(voice.id), voice.credit)

    return lambda words: {
        word: [sound(voice) for voice in of_word[:MAX_CARD_RECORDINGS]]
        for word, of_word in voices.of_words(words).items()
    }


def write_decks(  # noqa: PLR0913, PLR0917  # the parts of decks
    sets: list[CardSetRecord],
    sources: dict[str, str],
    moment: int,
    target: Path,
    find_recordings: FindRecordings = no_recordings,
    romans: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write card sets as decks.

    `sources` maps codes to credits; recordings from `find_recordings` are played with the answer. `romanizations`
    is for answers in sets without a language; other Assamese sides are romanized by rule.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        packed = Path(folder) / "packed.apkg"
        recordings = _RecordingFiles(Path(folder), find_recordings)
        decks = [
            _deck(card_set, sources.get(card_set.source, card_set.source), recordings, romans) for card_set in sets
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

    def of_set(self, card_set: CardSetRecord) -> Mapping[SpokenText, Sequence[DeckRecording]]:
        """Return the available recordings of a set's words."""
        recordings = self._find_recordings([text for card in card_set.cards for text in _sides(card_set, card)])
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


def _sides(card_set: CardSetRecord, card: CardRecord) -> tuple[SpokenText, SpokenText]:
    # The language matters: a word may have the same spelling in another one, but not the same sound.
    return SpokenText(card_set.language, card.clue), SpokenText(card_set.answer_language, card.answer)


def _deck(card_set: CardSetRecord, source: str, recordings: _RecordingFiles, romans: Mapping[str, str]) -> genanki.Deck:
    name = f"{card_set.source}:{card_set.key}"
    deck = genanki.Deck(_number(name), f"Abhidhan::{card_set.name}", _field(card_set.description or ""))
    sounds_by_text = recordings.of_set(card_set)
    counts: Counter[str] = Counter()
    for card in card_set.cards:
        identity = _earlier_ideas().get((name, card.clue)) or card.idea or card.clue
        counts[identity] += 1
        # A further card with the same idea or clue is another note.
        number = (str(counts[identity]),) if counts[identity] > 1 else ()
        # Recordings of both sides are played with the answer; played before, they would reveal it.
        sounds = [sound for text in dict.fromkeys(_sides(card_set, card)) for sound in sounds_by_text.get(text, ())]
        played = "".join(f"[sound:{sound.name}]" for sound in sounds)
        credited = dict.fromkeys(f". Voice: {sound.credit}" for sound in sounds if sound.credit)
        roman = card.roman or _roman(card.clue, card_set.language)
        answer_roman = romans.get(card.answer) or _roman(card.answer, card_set.answer_language)
        fields = (card.clue, roman, card.picture or "", source + "".join(credited))
        clue, roman, picture, credit = map(_field, fields)
        deck.add_note(
            genanki.Note(
                model=_MODEL,
                # Not in fields of their own, since other fields would make a new note type, unrelated to existing
                # notes.
                fields=[clue, roman, picture, _answer(card.answer, answer_roman) + played, credit],
                guid=genanki.guid_for(name, identity, *number),
            )
        )
    return deck


def _roman(text: str, language: str) -> str:
    return romanize(text) if language == ASSAMESE else ""


def _answer(text: str, roman: str) -> str:
    return f'{_field(text)}<div class="roman">{_field(roman)}</div>' if roman else _field(text)


def _field(text: str) -> str:
    """Escape a text so that Anki finds neither markup nor `[sound:`, `[latex]` or `[$]` in it."""
    return escape(text).replace("[", "&#91;")


@cache
def _earlier_ideas() -> Mapping[tuple[str, str], str]:
    """Return the ideas that cards of the starter dictionary had before ideas were merged; note IDs derive from them."""
    lines = files("abhidhan.formats.writers").joinpath("anki_ideas.tsv").read_text("utf-8").splitlines()[1:]
    return {(card_set, clue): idea for card_set, clue, idea in (line.split("\t") for line in lines)}


def _number(name: str) -> int:
    """Derive the permanent ID of a deck from its name."""
    return MIN_ID + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % MIN_ID
