"""Writer of WN-LMF 1.4: a lexicon for each language, with a synset for each idea that has words in it."""

import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, TextIO

import msgspec

from abhidhan.formats.writers.export_source import ExportSource, attributes, escape, open_text
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.languages import Language

PARTS: Final = {
    "Common Noun": "n",
    "Proper Noun": "n",
    "Material Noun": "n",
    "Verbal Noun": "n",
    "Abstract Noun": "n",
    "Noun": "n",
    "Verb": "v",
    "Transitive": "v",
    "Intransitive": "v",
    "Adjective": "a",
    "Proper Adjective": "a",
    "Verbal Adjective": "a",
    "Adjective Adjective": "a",
    "Adverb": "r",
    "Conjunction": "c",
    "Adposition": "p",
}
UNKNOWN: Final = "u"
OTHER: Final = "x"

RELATIONS: Final = {
    "Hypernym": ("hypernym",),
    "Hyponym": ("hyponym",),
    "Holonym": ("holonym",),
    "Meronym": ("meronym",),
    "Antonym": ("antonym",),
    "Near-synonym": ("similar",),
    "Related": ("also",),
    "Effect": ("causes",),
    "Cause": ("is_caused_by",),
    # WN-LMF has "has_masculine" with its inverse "masculine"; Abhidhan has two counterparts, each other's inverses.
    "Masculine counterpart": ("has_masculine", "feminine"),
    "Feminine counterpart": ("has_feminine", "masculine"),
}
"""Relations of synsets in WN-LMF 1.4 for those of the list RIC; others are left out."""

CONTACT: Final = "nobody@example.org"
"""The schema requires an e-mail address; the operator's is private."""

DOCTYPE: Final = "http://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd"


class LexiconSense(NamedTuple):
    """A word under a synset: the word's details, the synset, and its number among the word's meanings."""

    synset: str
    position: int
    ipa: str | None
    roman: str | None
    forms: tuple[str, ...]


Entries = dict[tuple[str, str], list[LexiconSense]]
"""The senses of each word, by its text and part of speech."""


def write_wn_lmf(book: ExportSource, target: Path) -> None:
    """Write one document with all lexicons."""
    with open_text(target) as stream:
        stream.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<!DOCTYPE LexicalResource SYSTEM "{DOCTYPE}">\n'
            '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">\n'
        )
        with _IdeaFile(book, target.parent) as ideas:
            for language in book.languages:
                if language.code in ideas.offsets:
                    _write_lexicon(book, language, ideas, stream)
        stream.write("</LexicalResource>\n")


class _IdeaFile:
    """The exported ideas in a temporary file, which is read once for each language."""

    def __init__(self, book: ExportSource, folder: Path) -> None:
        """Copy the ideas into an unnamed file in a folder."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # closed at the end of the `with` block
        self.offsets: dict[str, array[int]] = {}
        offset = 0
        for number, idea in enumerate(book.ideas(), 1):
            raw = msgspec.msgpack.encode((number, idea))
            self._file.write(len(raw).to_bytes(4, "big") + raw)
            for code in {word.language for word in idea.words}:
                self.offsets.setdefault(code, array("Q")).append(offset)
            offset += len(raw) + 4

    def of_language(self, code: str) -> Iterator[tuple[IdeaRecord, int]]:
        """Yield the ideas with words in a language, with their numbers."""
        for offset in self.offsets[code]:
            self._file.seek(offset)
            size = int.from_bytes(self._file.read(4), "big")
            number, idea = msgspec.msgpack.decode(self._file.read(size), type=tuple[int, IdeaRecord])
            yield idea, number

    def __enter__(self) -> Self:
        """Return the reader itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._file.close()


def _write_lexicon(book: ExportSource, language: Language, ideas: _IdeaFile, stream: TextIO) -> None:
    lexicon = f"abhidhan-{language.code.lower()}"
    entries, names = _gather(ideas, language.code, lexicon)
    about = {
        "id": lexicon,
        "label": f"{book.title}: {language.name}",
        "language": language.code,
        "email": CONTACT,
        "license": book.licences() or "unknown",
        "version": f"{book.date:%Y.%m.%d}",
        "citation": book.terms().replace("\n", " "),
    }
    stream.write(f"<Lexicon{attributes(about)}>\n")
    members: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for number, ((text, part), senses) in enumerate(entries.items(), 1):
        entry = f"{lexicon}-w{number}"
        for sense in senses:
            members[sense.synset][text] = entry
        stream.write(_entry(entry, text, part, senses))
    for idea, number in ideas.of_language(language.code):
        synset = f"{lexicon}-s{number}"
        entry_of = members[synset]
        in_order = [entry_of[word.text] for word in idea.words if word.language == language.code]
        stream.write(_synset(idea, synset, names, in_order))
    stream.write("</Lexicon>\n")


def _gather(ideas: _IdeaFile, code: str, lexicon: str) -> tuple[Entries, dict[str, str]]:
    entries: Entries = {}
    names: dict[str, str] = {}
    for idea, number in ideas.of_language(code):
        synset = f"{lexicon}-s{number}"
        names[f"{idea.source}:{idea.key}"] = synset
        for word in idea.words:
            if word.language == code:
                sense = LexiconSense(synset, word.position or 1, word.ipa, word.roman, word.forms)
                entries.setdefault((word.text, _part(idea)), []).append(sense)
    for senses in entries.values():
        senses.sort(key=lambda sense: sense.position)
    return entries, names


def _part(idea: IdeaRecord) -> str:
    return PARTS.get(idea.pos, OTHER) if idea.pos else UNKNOWN


def _entry(entry: str, text: str, part: str, senses: list[LexiconSense]) -> str:
    ipa = next((sense.ipa for sense in senses if sense.ipa), None)
    pronunciation = f"<Pronunciation>{escape(ipa)}</Pronunciation>" if ipa else ""
    roman = next((sense.roman for sense in senses if sense.roman), None)
    romanized = f"<Form{attributes({'writtenForm': roman, 'script': 'Latn'})}/>" if roman else ""
    forms = "".join(f"<Form{attributes({'writtenForm': form})}/>" for form in senses[0].forms if form != text)
    sense_elements = "".join(_sense(entry, sense) for sense in senses)
    lemma = attributes({"writtenForm": text, "partOfSpeech": part})
    content = f"<Lemma{lemma}>{pronunciation}</Lemma>{romanized}{forms}{sense_elements}"
    return f'<LexicalEntry id="{entry}">{content}</LexicalEntry>\n'


def _sense(entry: str, sense: LexiconSense) -> str:
    name = f"{entry}-{sense.synset.rpartition('-')[2]}"
    return f"<Sense{attributes({'id': name, 'synset': sense.synset, 'n': str(sense.position)})}/>"


def _synset(idea: IdeaRecord, synset: str, names: dict[str, str], members: list[str]) -> str:
    definitions = "".join(
        f"<Definition{attributes({'language': one.language})}>{escape(one.text)}</Definition>"
        for one in idea.definitions
    )
    relations = "".join(
        f"<SynsetRelation{attributes({'relType': kind, 'target': target})}/>"
        for kind, target in dict.fromkeys(
            (kind, names[one.idea])
            for one in idea.relations
            if one.idea in names
            for kind in RELATIONS.get(one.type, ())
        )
    )
    examples = "".join(
        f"<Example{attributes({'language': one.language})}>{escape(one.text)}</Example>" for one in idea.examples
    )
    about = {
        "id": synset,
        "partOfSpeech": _part(idea),
        "members": " ".join(dict.fromkeys(members)),
        "dc:identifier": f"{idea.source}:{idea.key}",
    }
    head = f"<Synset{attributes(about)}".replace("<Synset ", '<Synset ili="" ', 1)
    return f"{head}>{definitions}{relations}{examples}</Synset>\n"
