"""TEI Lex-0: an entry for each word, with a sense for each meaning."""

from pathlib import Path
from typing import TextIO

from abhidhan.domain.words import Meaning, Word
from abhidhan.formats.writing.book import Book, attributes, escaped, term


def write_tei(book: Book, target: Path) -> None:
    """Write one TEI document."""
    codes = {language.id: language.code for language in book.languages}
    with target.open("w", encoding="utf-8", newline="\n") as stream:
        _write_header(book, stream)
        for language in book.languages:
            for word in book.words(language.id):
                stream.write(_entry(word, codes))
        stream.write("</body></text>\n</TEI>\n")


def _write_header(book: Book, stream: TextIO) -> None:
    used = "".join(
        f"<language{attributes({'ident': one.code, 'role': 'objectLanguage'})}>{escaped(one.name)}</language>"
        for one in book.languages
    )
    sources = "".join(
        f"<bibl{attributes({'xml:id': 'source-' + one.code})}>{escaped(term(one))}</bibl>\n" for one in book.sources
    )
    stream.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<TEI xmlns="http://www.tei-c.org/ns/1.0" type="lex-0">\n<teiHeader>\n'
        f"<fileDesc><titleStmt><title>{escaped(book.title)}</title></titleStmt>\n"
        f"<publicationStmt><publisher>{escaped(book.title)}</publisher>"
        f'<date when="{book.date:%Y-%m-%d}">{book.date:%Y-%m-%d}</date>'
        f"<availability><licence>{escaped(book.licences() or 'unknown')}</licence></availability></publicationStmt>\n"
        f'<sourceDesc><listBibl type="dictionaries">\n{sources or "<bibl>Abhidhan</bibl>"}</listBibl></sourceDesc>'
        "</fileDesc>\n"
        f"<profileDesc><langUsage>{used}</langUsage></profileDesc>\n</teiHeader>\n<text><body>\n"
    )


def _entry(word: Word, codes: dict[int, str]) -> str:
    code = codes[word.language_id]
    name = f"w{word.id}"
    pron = f'<pron notation="IPA">{escaped(word.ipa)}</pron>' if word.ipa else ""
    roman = f'<orth type="transliterated" xml:lang="{code}-Latn">{escaped(word.roman)}</orth>' if word.roman else ""
    origin = f"<etym>{escaped(word.origin)}</etym>" if word.origin else ""
    pos = f'<gramGrp><gram type="pos">{escaped(word.pos.value)}</gram></gramGrp>' if word.pos else ""
    senses = "".join(_sense(meaning, name, number, codes) for number, meaning in enumerate(word.meanings, 1))
    return (
        f'<entry xml:id="{name}" xml:lang="{code}" type="mainEntry">'
        f'<form type="lemma"><orth>{escaped(word.word)}</orth>{roman}{pron}</form>{pos}{senses}{origin}</entry>\n'
    )


def _sense(meaning: Meaning, name: str, number: int, codes: dict[int, str]) -> str:
    parts = [f'<sense xml:id="{name}.{number}" n="{number}">']
    if meaning.pos:
        parts.append(f'<gramGrp><gram type="pos">{escaped(meaning.pos.value)}</gram></gramGrp>')
    parts.extend(f'<usg type="domain">{escaped(context.value)}</usg>' for context in meaning.contexts)
    parts.extend(
        f"<def{attributes({'xml:lang': codes.get(one.language_id)})}>{escaped(one.text)}</def>"
        for one in meaning.definitions
    )
    parts.extend(
        f'<cit type="translationEquivalent"{attributes({"xml:lang": codes.get(one.language_id)})}>'
        f"<form><orth>{escaped(one.word)}</orth></form></cit>"
        for one in meaning.translations
    )
    for one in meaning.examples:
        inner = f'<cit type="translation"><quote>{escaped(one.translation)}</quote></cit>' if one.translation else ""
        parts.append(f'<cit type="example"><quote>{escaped(one.text)}</quote>{inner}</cit>')
    return "".join([*parts, "</sense>"])
