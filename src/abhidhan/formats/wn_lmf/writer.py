"""Writer of WN-LMF 1.4: a lexicon for each language, with a synset for each idea that has words in it."""

import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, TextIO

import msgspec

from abhidhan.formats.writers.export_source import ExportSource, escape, format_attributes, open_text
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.languages import Language

LETTER_BY_POS: Final = {
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
UNKNOWN_LETTER: Final = "u"
OTHER_LETTER: Final = "x"

TYPES_BY_RELATION: Final = {
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

CONTACT_EMAIL: Final = "nobody@example.org"
"""The schema requires an e-mail address; the operator's is private."""

DTD_URL: Final = "http://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd"


class LexiconSense(NamedTuple):
    """A word under a synset: the word's details, the synset, and its number among the word's meanings."""

    synset: str
    position: int
    ipa: str | None
    roman: str | None
    forms: tuple[str, ...]


WordSenses = dict[tuple[str, str], list[LexiconSense]]
"""The senses of each word, by its text and part of speech."""


def write_wn_lmf(export: ExportSource, target: Path) -> None:
    """Write one document with all lexicons."""
    with open_text(target) as stream:
        stream.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<!DOCTYPE LexicalResource SYSTEM "{DTD_URL}">\n'
            '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">\n'
        )
        with _IdeaFile(export, target.parent) as ideas:
            for language in export.languages:
                if language.code in ideas.offsets:
                    _write_lexicon(export, language, ideas, stream)
        stream.write("</LexicalResource>\n")


class _IdeaFile:
    """The exported ideas in a temporary file, which is read once for each language."""

    def __init__(self, export: ExportSource, folder: Path) -> None:
        """Copy the ideas into an unnamed file in a folder."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # closed at the end of the `with` block
        self.offsets: dict[str, array[int]] = {}
        offset = 0
        for number, idea in enumerate(export.ideas(), 1):
            raw = msgspec.msgpack.encode((number, idea))
            self._file.write(len(raw).to_bytes(4, "big") + raw)
            for code in {word.language for word in idea.words}:
                self.offsets.setdefault(code, array("Q")).append(offset)
            offset += len(raw) + 4

    def iter_ideas(self, code: str) -> Iterator[tuple[IdeaRecord, int]]:
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


def _write_lexicon(export: ExportSource, language: Language, ideas: _IdeaFile, stream: TextIO) -> None:
    lexicon = f"abhidhan-{language.code.lower()}"
    entries, synset_ids = _collect_senses(ideas, language.code, lexicon)
    about = {
        "id": lexicon,
        "label": f"{export.title}: {language.name}",
        "language": language.code,
        "email": CONTACT_EMAIL,
        "license": export.format_licences() or "unknown",
        "version": f"{export.date:%Y.%m.%d}",
        "citation": export.format_terms().replace("\n", " "),
    }
    stream.write(f"<Lexicon{format_attributes(about)}>\n")
    members: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for number, ((text, part), senses) in enumerate(entries.items(), 1):
        entry = f"{lexicon}-w{number}"
        for sense in senses:
            members[sense.synset][text] = entry
        stream.write(_format_entry(entry, text, part, senses))
    for idea, number in ideas.iter_ideas(language.code):
        synset = f"{lexicon}-s{number}"
        entry_ids = members[synset]
        member_ids = [entry_ids[word.text] for word in idea.words if word.language == language.code]
        stream.write(_format_synset(idea, synset, synset_ids, member_ids))
    stream.write("</Lexicon>\n")


def _collect_senses(ideas: _IdeaFile, code: str, lexicon: str) -> tuple[WordSenses, dict[str, str]]:
    entries: WordSenses = {}
    synset_ids: dict[str, str] = {}
    for idea, number in ideas.iter_ideas(code):
        synset = f"{lexicon}-s{number}"
        synset_ids[f"{idea.source}:{idea.key}"] = synset
        for word in idea.words:
            if word.language == code:
                sense = LexiconSense(synset, word.position or 1, word.ipa, word.roman, word.forms)
                entries.setdefault((word.text, _get_letter(idea)), []).append(sense)
    for senses in entries.values():
        senses.sort(key=lambda sense: sense.position)
    return entries, synset_ids


def _get_letter(idea: IdeaRecord) -> str:
    return LETTER_BY_POS.get(idea.pos, OTHER_LETTER) if idea.pos else UNKNOWN_LETTER


def _format_entry(entry_id: str, text: str, letter: str, senses: list[LexiconSense]) -> str:
    ipa = next((sense.ipa for sense in senses if sense.ipa), None)
    pronunciation = f"<Pronunciation>{escape(ipa)}</Pronunciation>" if ipa else ""
    roman = next((sense.roman for sense in senses if sense.roman), None)
    romanized = f"<Form{format_attributes({'writtenForm': roman, 'script': 'Latn'})}/>" if roman else ""
    forms = "".join(f"<Form{format_attributes({'writtenForm': form})}/>" for form in senses[0].forms if form != text)
    sense_elements = "".join(_format_sense(entry_id, sense) for sense in senses)
    lemma = format_attributes({"writtenForm": text, "partOfSpeech": letter})
    content = f"<Lemma{lemma}>{pronunciation}</Lemma>{romanized}{forms}{sense_elements}"
    return f'<LexicalEntry id="{entry_id}">{content}</LexicalEntry>\n'


def _format_sense(entry_id: str, sense: LexiconSense) -> str:
    name = f"{entry_id}-{sense.synset.rpartition('-')[2]}"
    return f"<Sense{format_attributes({'id': name, 'synset': sense.synset, 'n': str(sense.position)})}/>"


def _format_synset(idea: IdeaRecord, synset_id: str, synset_ids: dict[str, str], members: list[str]) -> str:
    definitions = "".join(
        f"<Definition{format_attributes({'language': one.language})}>{escape(one.text)}</Definition>"
        for one in idea.definitions
    )
    relations = "".join(
        f"<SynsetRelation{format_attributes({'relType': kind, 'target': target})}/>"
        for kind, target in dict.fromkeys(
            (kind, synset_ids[one.idea])
            for one in idea.relations
            if one.idea in synset_ids
            for kind in TYPES_BY_RELATION.get(one.type, ())
        )
    )
    examples = "".join(
        f"<Example{format_attributes({'language': one.language})}>{escape(one.text)}</Example>" for one in idea.examples
    )
    about = {
        "id": synset_id,
        "partOfSpeech": _get_letter(idea),
        "members": " ".join(dict.fromkeys(members)),
        "dc:identifier": f"{idea.source}:{idea.key}",
    }
    head = f"<Synset{format_attributes(about)}".replace("<Synset ", '<Synset ili="" ', 1)
    return f"{head}>{definitions}{relations}{examples}</Synset>\n"
