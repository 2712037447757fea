"""Writer of TEI Lex-0: an entry for each word, with a sense for each meaning."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from abhidhan.formats.writers.export_source import (
    ExportSource,
    escape,
    format_attributes,
    format_source_statement,
    open_text,
)
from abhidhan.records.ideas import IdeaWord, Relation
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning, Word

UNIVERSAL_POS: Final = {
    "Common Noun": "NOUN",
    "Proper Noun": "PROPN",
    "Material Noun": "NOUN",
    "Verbal Noun": "NOUN",
    "Abstract Noun": "NOUN",
    "Pronoun": "PRON",
    "Proper Adjective": "ADJ",
    "Verbal Adjective": "ADJ",
    "Adjective Adjective": "ADJ",
    "Adverb": "ADV",
    "Transitive": "VERB",
    "Intransitive": "VERB",
    "Adposition": "ADP",
    "Interjection": "INTJ",
    "Noun": "NOUN",
    "Verb": "VERB",
    "Adjective": "ADJ",
}
"""Universal Dependencies' names of the parts of speech in the list POS. Conjunctions have two names there."""

REFERENCE_TYPES: Final = {
    "Hypernym": "hypernymy",
    "Hyponym": "hyponymy",
    "Holonym": "meronymy",
    "Meronym": "meronymy",
    "Antonym": "antonymy",
}
"""Types of references in TEI Lex-0 by relation of the list RIC; others are `related`."""

NO_WORDS: Final = "<p>There are no words.</p>"
NO_LANGUAGE: Final = '<language ident="und" role="objectLanguage">none</language>'
"""The schema requires words and languages, even if there are none."""


class EntryContext(NamedTuple):
    """Data shared by all entries: the codes of all languages by ID, and the notices of sources."""

    codes: dict[int, str]
    notices: frozenset[str]


def write_tei(export: ExportSource, target: Path) -> None:
    """Write one TEI document."""
    # Languages that were not selected may still have translations.
    records = takewhile(lambda record: isinstance(record, LanguageRecord), export.records())
    context = EntryContext(
        {record.id: record.code for record in records if isinstance(record, LanguageRecord)},
        frozenset(source.notice for source in export.sources if source.notice),
    )
    with open_text(target) as stream:
        _write_header(export, stream)
        word_count = 0
        for language in export.languages:
            for word in export.words(language.id):
                stream.write(_format_entry(word, context))
                word_count += 1
        stream.write(f"{'' if word_count else NO_WORDS}</body></text>\n</TEI>\n")


def _write_header(export: ExportSource, stream: TextIO) -> None:
    used = "".join(
        f"<language{format_attributes({'ident': one.code, 'role': 'objectLanguage'})}>{escape(one.name)}</language>"
        for one in export.languages
    )
    # Codes of sources are not always valid XML IDs, so they are numbered.
    sources = "".join(
        f"<bibl{format_attributes({'xml:id': f'source-{number}'})}>{escape(format_source_statement(one))}</bibl>\n"
        for number, one in enumerate(export.sources, 1)
    )
    stream.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<TEI xmlns="http://www.tei-c.org/ns/1.0" type="lex-0">\n<teiHeader>\n'
        f"<fileDesc><titleStmt><title>{escape(export.title)}</title></titleStmt>\n"
        f"<publicationStmt><publisher>{escape(export.title)}</publisher>"
        f'<date when="{export.date:%Y-%m-%d}">{export.date:%Y-%m-%d}</date>'
        f"<availability><licence>{escape(export.format_licences() or 'unknown')}</licence></availability>"
        "</publicationStmt>\n"
        f'<sourceDesc><listBibl type="dictionaries">\n{sources or "<bibl>Abhidhan</bibl>"}</listBibl></sourceDesc>'
        "</fileDesc>\n"
        f"<profileDesc><langUsage>{used or NO_LANGUAGE}</langUsage></profileDesc>\n</teiHeader>\n<text><body>\n"
    )


def _format_entry(word: Word, context: EntryContext) -> str:
    code, name = context.codes[word.language_id], f"w{word.id}"
    word_parts = {meaning.pos for meaning in word.meanings}
    common_pos = next(iter(word_parts)) if len(word_parts) == 1 else None
    senses = "".join(
        _format_sense(meaning, word.language_id, f"{name}.{number}", context, common_pos)
        for number, meaning in enumerate(word.meanings, 1)
    )
    children = (
        _format_form(word, code),
        _format_grammar(common_pos, None),
        f'<usg type="hint">{escape(word.variant.value)}</usg>' if word.variant else "",
        senses,
        f"<etym>{escape(word.origin)}</etym>" if word.origin else "",
    )
    return (
        f'<entry xml:id="{name}"{format_attributes({"xml:lang": code})} type="mainEntry">{"".join(children)}</entry>\n'
    )


def _format_form(word: Word, code: str) -> str:
    """Format the spelling and pronunciation of a word; a generated romanization is marked."""
    roman = {
        "type": "transliterated",
        "subtype": "generated" if word.roman_generated else None,
        "xml:lang": f"{code.partition('-')[0]}-Latn",
    }
    pronunciations = (("IPA", word.explicit_ipa), ("Beng", word.asm))
    return "".join(
        [
            f'<form type="lemma"><orth>{escape(word.word)}</orth>',
            f"<orth{format_attributes(roman)}>{escape(word.roman)}</orth>" if word.roman else "",
            *(f'<pron notation="{notation}">{escape(text)}</pron>' for notation, text in pronunciations if text),
            "</form>",
        ]
    )


def _format_grammar(pos: Named | None, gender: Named | None) -> str:
    grams = [f'<gram type="gender">{escape(gender.value)}</gram>'] if gender else []
    if pos:
        norm = format_attributes({"norm": UNIVERSAL_POS.get(pos.value)})
        grams.insert(0, f'<gram type="pos"{norm}>{escape(pos.value)}</gram>')
    return f"<gramGrp>{''.join(grams)}</gramGrp>" if grams else ""


def _format_sense(
    meaning: Meaning, language_id: int, name: str, entry_context: EntryContext, common_pos: Named | None
) -> str:
    """Format a meaning, without its part of speech if that is `common_pos`, which the entry already has.

    The notice of a source appears once, in the header.
    """
    codes, note = entry_context.codes, None if meaning.note in entry_context.notices else meaning.note
    parts = [f'<sense xml:id="{name}" n="{name.partition(".")[2]}">']
    parts.append(_format_grammar(None if meaning.pos == common_pos else meaning.pos, meaning.gender))
    parts.extend(f'<usg type="domain">{escape(context.value)}</usg>' for context in meaning.contexts)
    parts.extend(
        f"<def{format_attributes({'xml:lang': codes.get(definition.language_id)})}>{escape(definition.text)}</def>"
        for definition in meaning.definitions
    )
    parts.extend(_iter_words(meaning.translations, language_id, codes))
    parts.extend(_iter_examples(meaning, codes))
    parts.extend(_iter_references(meaning.relations))
    remarks = (("", note), (' type="reference"', meaning.reference))
    parts.extend(f"<note{kind}>{escape(text)}</note>" for kind, text in remarks if text)
    return "".join([*parts, "</sense>"])


def _iter_words(words: Iterable[IdeaWord], language_id: int, codes: Mapping[int, str]) -> Iterator[str]:
    """Yield the other words: synonyms in the same language, else equivalents."""
    for word in words:
        if word.language_id == language_id:
            yield f'<xr type="synonymy"><ref type="entry" target="#w{word.id}">{escape(word.word)}</ref></xr>'
        else:
            attrs = format_attributes({"xml:lang": codes.get(word.language_id)})
            yield f'<cit type="translationEquivalent"{attrs}><form><orth>{escape(word.word)}</orth></form></cit>'


def _iter_examples(meaning: Meaning, codes: Mapping[int, str]) -> Iterator[str]:
    """Yield examples; the translation of an English example is in Assamese, others are in English."""
    for example in meaning.examples:
        code = codes.get(example.language_id)
        other = codes.get(ASSAMESE if example.language_id == ENGLISH else ENGLISH)
        inner = ""
        if example.translation:
            attrs = format_attributes({"xml:lang": other})
            inner = f'<cit type="translation"{attrs}><quote>{escape(example.translation)}</quote></cit>'
        attrs = format_attributes({"xml:lang": code})
        yield f'<cit type="example"{attrs}><quote>{escape(example.text)}</quote>{inner}</cit>'


def _iter_references(relations: Iterable[Relation]) -> Iterator[str]:
    """Yield the relations of a meaning, by the words of each related idea."""
    for relation in relations:
        kind = REFERENCE_TYPES.get(relation.type.value, "related")
        words = escape(", ".join(relation.words))
        yield f'<xr type="{kind}"><lbl>{escape(relation.type.value)}</lbl><ref type="sense">{words}</ref></xr>'
