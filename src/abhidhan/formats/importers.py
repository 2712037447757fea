"""The formats that can be read, by the names that `abhidhan import` takes: a table."""

from types import MappingProxyType
from typing import Final, NamedTuple

from abhidhan.formats.cldf import read_cldf
from abhidhan.formats.dictpress import read_dictpress
from abhidhan.formats.frequencies import read_frequencies
from abhidhan.formats.jsonl import read_records
from abhidhan.formats.lift import read_lift
from abhidhan.formats.omw import read_omw
from abhidhan.formats.pairs import read_pairs
from abhidhan.formats.proverbs import read_proverbs
from abhidhan.formats.reading import Importer
from abhidhan.formats.tables import read_tables
from abhidhan.formats.tei import read_tei
from abhidhan.formats.unimorph import read_unimorph
from abhidhan.formats.wiktextract import read_wiktextract
from abhidhan.formats.wn_lmf import read_wn_lmf
from abhidhan.formats.wordnet import read_wordnet


class ImportFormat(NamedTuple):
    """A format: what reads it, and what its files are, in a line."""

    read: Importer
    about: str


IMPORTERS: Final = MappingProxyType(
    {
        "jsonl": ImportFormat(read_records, "Abhidhan's own records, one JSON object per line"),
        "csv": ImportFormat(
            read_tables, "tables: CSV, TSV, xlsx, ods or a JSON array of objects, whose headings name the columns"
        ),
        "wordnet": ImportFormat(read_wordnet, "a folder of Princeton WordNet's wndb files"),
        "omw": ImportFormat(read_omw, "Open Multilingual Wordnet: one or many wn-data-....tab files"),
        "wn-lmf": ImportFormat(read_wn_lmf, "WN-LMF, the Global WordNet Association's XML"),
        "cldf": ImportFormat(read_cldf, "CLDF: a word list or a dictionary, with its metadata"),
        "pairs": ImportFormat(read_pairs, "a word and its translation, separated by a tab (GATITOS)"),
        "wiktextract": ImportFormat(read_wiktextract, "Wiktextract's JSON lines of Wiktionary (kaikki.org)"),
        "tei": ImportFormat(read_tei, "TEI, as FreeDict writes it"),
        "lift": ImportFormat(read_lift, "LIFT, as FieldWorks writes it: a .lift file, alone or in its folder or zip"),
        "dictpress": ImportFormat(read_dictpress, "dictpress's CSV of entries and definitions"),
        "proverbs": ImportFormat(read_proverbs, "a table of proverbs: text, roman, meaning, category"),
        "unimorph": ImportFormat(read_unimorph, "UniMorph: inflected forms of words already in the dictionary"),
        "frequencies": ImportFormat(
            read_frequencies, "how common words already in the dictionary are: word, frequency, source"
        ),
    }
)
