"""The formats that can be written, by the names that `abhidhan export` takes: a table."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, NamedTuple

from abhidhan.formats.writing.anki import write_anki
from abhidhan.formats.writing.book import Writer
from abhidhan.formats.writing.cldf import write_cldf
from abhidhan.formats.writing.dsl import write_dsl
from abhidhan.formats.writing.frequencies import write_frequencies
from abhidhan.formats.writing.hunspell import write_hunspell
from abhidhan.formats.writing.lift import write_lift
from abhidhan.formats.writing.ontolex import write_json_ld, write_packed_turtle, write_turtle
from abhidhan.formats.writing.pdf import write_pdf
from abhidhan.formats.writing.records import write_packed_records, write_records
from abhidhan.formats.writing.sheets import write_csv, write_xlsx
from abhidhan.formats.writing.stardict import write_stardict
from abhidhan.formats.writing.tei import write_tei
from abhidhan.formats.writing.wn_lmf import write_wn_lmf
from abhidhan.formats.writing.yomitan import write_yomitan
from abhidhan.formats.writing.zim import write_zim
from abhidhan.formats.writing.zim_file import is_available


class ExportFormat(NamedTuple):
    """A format: what writes it, how its file is called, its media type, and what it is, in a line.

    `is_available` says whether the package that it needs is installed, where that is an optional one.
    """

    write: Writer
    file: str
    media_type: str
    about: str
    is_available: Callable[[], bool] = lambda: True


EXPORTERS: Final = MappingProxyType(
    {
        "jsonl": ExportFormat(write_records, "abhidhan.jsonl", "application/jsonl", "Abhidhan's own records, complete"),
        "jsonl.gz": ExportFormat(write_packed_records, "abhidhan.jsonl.gz", "application/gzip", "the same, compressed"),
        "csv": ExportFormat(write_csv, "abhidhan.csv", "text/csv", "a row for each word of each idea"),
        "xlsx": ExportFormat(
            write_xlsx,
            "abhidhan.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "the same as a workbook",
        ),
        "stardict": ExportFormat(
            write_stardict, "abhidhan-stardict.zip", "application/zip", "StarDict, for GoldenDict, KOReader and others"
        ),
        "yomitan": ExportFormat(
            write_yomitan, "abhidhan-yomitan.zip", "application/zip", "Yomitan, which explains words in browsers"
        ),
        "dsl": ExportFormat(
            write_dsl, "abhidhan-dsl.zip", "application/zip", "DSL, for GoldenDict and Lingvo: a file for each language"
        ),
        "zim": ExportFormat(
            write_zim, "abhidhan.zim", "application/x-zim", "a small site in one file, for Kiwix", is_available
        ),
        "tei": ExportFormat(write_tei, "abhidhan.tei.xml", "application/tei+xml", "TEI Lex-0"),
        "wn-lmf": ExportFormat(
            write_wn_lmf, "abhidhan-wn.xml", "application/xml", "WN-LMF 1.4: a wordnet for each language"
        ),
        "ontolex": ExportFormat(write_turtle, "abhidhan.ttl", "text/turtle", "linked data in OntoLex-Lemon, as Turtle"),
        "ontolex.gz": ExportFormat(write_packed_turtle, "abhidhan.ttl.gz", "application/gzip", "the same, compressed"),
        "ontolex-json": ExportFormat(
            write_json_ld, "abhidhan.jsonld", "application/ld+json", "linked data in OntoLex-Lemon, as JSON-LD"
        ),
        "cldf": ExportFormat(write_cldf, "abhidhan-cldf.zip", "application/zip", "a CLDF dictionary"),
        "pdf": ExportFormat(write_pdf, "abhidhan.pdf", "application/pdf", "a printed dictionary, in two columns"),
        "lift": ExportFormat(write_lift, "abhidhan-lift.zip", "application/zip", "LIFT, for FieldWorks and others"),
        "hunspell": ExportFormat(
            write_hunspell, "abhidhan-hunspell.zip", "application/zip", "word lists of each language for Hunspell"
        ),
        "frequencies": ExportFormat(
            write_frequencies,
            "abhidhan-frequencies.zip",
            "application/zip",
            "how common the words of each language are, the commonest first",
        ),
        "anki": ExportFormat(write_anki, "abhidhan.apkg", "application/octet-stream", "the flashcards, for Anki"),
    }
)
