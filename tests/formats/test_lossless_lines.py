"""Formats of lines: each row, column and tag is kept or named in the report."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.records.import_records import LocatedRecord, UnstoredValue
from abhidhan.records.kinds import FormsRecord
from tests.support.databases import SqliteDatabases
from tests.support.importing import SOURCE, read
from tests.support.lossless import import_file

PAIRS = "# comment-text\nfish\tমাছ||মীন\n"
PROVERBS = """no\tdjvu_page\tstatus\ttheme\tassamese\troman_gurdon\tenglish\tnote\ttranscriber_fix\tmeaning\t
key-text\tpage-text\tstatus-text\ttheme-text\tপ্ৰবাদ\troman-text\tenglish-text\tnote-text\tfix-text\tmeaning-text
\t\t\tmapped-theme\tফকৰা
\t\t\tlast-theme\tযোজনা
"""
DICTPRESS = """-,q,mach-text,assamese,entry-note,vector-language,vector-token,tag-one|tag-two,ipa-one|ipa-two,noun,meta
^,f,first meaning,english,meaning-note,other-vector,other-token,other-tag,other-phone,n. pl.|second-type,more,extra
^,,A definition that is too long to be a word,english,definition-note,,,,,unknown-type,
"""
FREQUENCIES = """# comment-text
# running words: 2000000
word\tfrequency\tcount\tsource\trank
পানী\t12.5\t25\tcounted-by\trank-text
"""
FORMS = "পানী\tপানীত\tN;LOC\tsegment-text\nপানী\tপানীত\tN;DAT\nপানী\tপানীৰ\tN;GEN\n"

READ_OTHERWISE = frozenset(
    {
        *("no", "djvu_page", "status", "theme", "assamese", "roman_gurdon", "english", "note", "transcriber_fix"),
        *("word", "frequency", "count", "source", "rank", "meaning", "# running words: 2000000", "mapped-theme"),
        *("-", "^", "f"),
    }
)
"""Headings, names of languages, what a value is mapped to, and a first letter."""

FILES = {"pairs": PAIRS, "proverbs": PROVERBS, "dictpress": DICTPRESS, "frequencies": FREQUENCIES, "unimorph": FORMS}
NAMES: Mapping[str, str] = {"pairs": "en_as.tsv", "proverbs": "all.tsv", "dictpress": "all.csv"}


def test_every_value_of_a_file_is_kept_or_reported(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name, text in FILES.items():
        with subtests.test(name):
            (tmp_path / name).mkdir()
            language = "as" if name in {"frequencies", "unimorph"} else None
            options = ImportOptions(
                source=SOURCE, language=language, values={"category": {"mapped-theme": "Fokora (ফকৰা)"}}
            )

            found = import_file(
                sqlite_databases, tmp_path / name, name, text, options, file_name=NAMES.get(name, "all.tsv")
            )

            separated = text.replace("\t", "\n").replace(",", "\n").replace("|", "\n")
            values = [value for value in separated.split("\n") if value and value not in READ_OTHERWISE]
            assert found.rejected == []
            assert found.find_unaccounted(values) == []


def test_a_form_repeated_with_other_tags_is_reported(tmp_path: Path) -> None:
    found = read(tmp_path, "unimorph", {"asm": "ক\tকৰ\tN;GEN\nখ\tখৰ\t\nক\tকৰ\tN;DAT\nক\tকৰ\tN;GEN\n"})

    assert [one.record for one in found if isinstance(one, LocatedRecord)] == [
        FormsRecord("as", "ক", (("কৰ", "N;GEN"),)),
        FormsRecord("as", "খ", (("খৰ", ""),)),
        FormsRecord("as", "ক", (("কৰ", "N;GEN"),)),
    ]
    assert [(one.line, one.field, one.value) for one in found if isinstance(one, UnstoredValue)] == [
        (3, "tags", "কৰ N;DAT")
    ]
