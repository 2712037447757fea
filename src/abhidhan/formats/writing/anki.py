"""Anki: sets of flashcards as an .apkg file. A second import of the same set updates its notes."""

import hashlib
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import genanki

from abhidhan.domain.records import CardSetRecord
from abhidhan.formats.writing.book import Book, add_file, escaped

MODEL_ID: Final = 1_732_049_151
"""Names our kind of note for good: notes of another import are known by it."""

LEAST_ID: Final = 1 << 30

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


class Sound(NamedTuple):
    """A recording: the name of its file in the deck, and its bytes."""

    name: str
    body: bytes


NO_SOUNDS: Final[Mapping[str, Sequence[Sound]]] = MappingProxyType({})

_MODEL = genanki.Model(
    MODEL_ID,
    "Abhidhan",
    fields=[{"name": name} for name in FIELDS],
    templates=[{"name": "Clue to answer", "qfmt": FRONT, "afmt": BACK}],
    css=STYLE,
)


def write_anki(book: Book, target: Path) -> None:
    """Write every set of flashcards, each a deck."""
    sources = {source.code: f"{source.name}. {source.licence}" for source in book.sources}
    write_decks(list(book.card_sets()), sources, book.moment, target)


def write_decks(
    sets: list[CardSetRecord],
    sources: dict[str, str],
    moment: int,
    target: Path,
    sounds: Mapping[str, Sequence[Sound]] = NO_SOUNDS,
) -> None:
    """Write sets of flashcards.

    `sources` says, by its code, what to say of each source; `sounds` are heard with the answer, by what they say.
    """
    decks = [_deck(one, sources.get(one.source, one.source), sounds) for one in sets]
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        packed = Path(folder) / "packed.apkg"
        media = [_file(Path(folder), each) for some in sounds.values() for each in some]
        genanki.Package(decks, media_files=media).write_to_file(str(packed), timestamp=float(moment))
        # Packed again, since the archive would carry the time of its making.
        with zipfile.ZipFile(packed) as made, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as again:
            for name in sorted(made.namelist()):
                add_file(again, name, made.read(name))


def _file(folder: Path, sound: Sound) -> str:
    """Write a recording where the package takes it from."""
    path = folder / sound.name
    path.write_bytes(sound.body)
    return str(path)


def _deck(card_set: CardSetRecord, source: str, sounds: Mapping[str, Sequence[Sound]]) -> genanki.Deck:
    name = f"{card_set.source}:{card_set.key}"
    deck = genanki.Deck(_number(name), f"Abhidhan::{card_set.name}", card_set.description or "")
    for card in card_set.cards:
        # Whichever side it says, a recording would give away the answer in front.
        heard = "".join(f"[sound:{each.name}]" for text in (card.clue, card.answer) for each in sounds.get(text, ()))
        shown = (card.clue, card.roman or "", card.picture or "", card.answer, source)
        clue, roman, picture, answer, told = (escaped(field) for field in shown)
        deck.add_note(
            genanki.Note(
                model=_MODEL,
                # Not in a field of its own: a note with other fields would be another kind of note than those before.
                fields=[clue, roman, picture, answer + heard, told],
                guid=genanki.guid_for(name, card.idea or card.clue),
            )
        )
    return deck


def _number(name: str) -> int:
    """Make the ID of a deck, always the same, from its name."""
    return LEAST_ID + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % LEAST_ID
