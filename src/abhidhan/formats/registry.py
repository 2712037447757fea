"""Registry of file formats: the reader and writer of each, and its description for users.

`abhidhan import`, `abhidhan export` and the page /downloads use this table, and a test compares docs/importing.md and
docs/exporting.md with it. Functions are given by name, such as `tei.reader:read_tei` in this package, and imported
on first use, so that a server does not load them at its start.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from abhidhan.records.errors import sentence

if TYPE_CHECKING:
    from pathlib import Path

    from abhidhan.formats.cldf.recordings import MediaRecordings
    from abhidhan.formats.importer_api import Importer, ImportOptions
    from abhidhan.formats.writers.export_source import FormatWriter

GZIP_SUFFIX: Final = ".gz"
RECORDINGS_FORMAT: Final = "recordings"
"""Name of the format for recordings as separate files, which services read and write without this package."""

SQLITE_FORMAT: Final = "sqlite"
"""Name of the format of the read-only snapshot, which the storage layer writes."""


class ImportFormat(NamedTuple):
    """The reader of a format; `aliases` are other names for it, `recordings` is the function that finds recordings."""

    function: str
    about: str
    aliases: str = ""
    recordings: str = ""

    @property
    def read(self) -> "Importer":
        """The function that reads records."""
        function: Importer = _import_function(self.function)
        return function

    @property
    def read_recordings(self) -> "Callable[[Sequence[Path], ImportOptions], MediaRecordings]":
        """The function that finds recordings."""
        function: Callable[[Sequence[Path], ImportOptions], MediaRecordings] = _import_function(self.recordings)
        return function


class ExportFormat(NamedTuple):
    """The writer of a format, with its file name, media type and description; `aliases` lists other names for it.

    `package` is an optional package that it needs. `has_recordings` is true if the file can contain recordings.
    /downloads offers the format if `is_offered`, compressed with gzip if `is_compressed`.
    """

    function: str
    file: str
    media_type: str
    about: str
    aliases: str = ""
    package: str = ""
    has_recordings: bool = False
    is_offered: bool = True
    is_compressed: bool = False

    @property
    def write(self) -> "FormatWriter":
        """The function that writes a file."""
        function: FormatWriter = _import_function(self.function)
        return function

    @property
    def download(self) -> str:
        """The name of the file at /downloads."""
        return self.file + GZIP_SUFFIX if self.is_compressed else self.file

    def is_available(self) -> bool:
        """Return whether the optional package, if there is one, is installed."""
        return not self.package or find_spec(self.package) is not None


class Format(NamedTuple):
    """A row of the table: the name in commands, and the reader and writer, if any."""

    name: str
    importer: ImportFormat | None = None
    exporter: ExportFormat | None = None


def _import_function(function_name: str) -> Any:  # noqa: ANN401  # tests call each of them
    return resolve_name(f"abhidhan.formats.{function_name}")


_ZIP_TYPE: Final = "application/zip"

# fmt: off
FORMATS: Final = (
    Format("jsonl",
        ImportFormat("jsonl:read_records", "Abhidhan's own records, one JSON object per line", "ndjson jsonl.gz"),
        ExportFormat("jsonl:write_records", "abhidhan.jsonl", "application/jsonl",
            sentence("Complete data, for importing into another Abhidhan"), "json ndjson", is_compressed=True)),
    Format("csv",
        ImportFormat("tables.reader:read_tables",
            "tables: CSV, TSV, xlsx, ods or JSON arrays of objects; headings name the columns",
            "xlsx xls ods tsv excel spreadsheet json"),
        ExportFormat("tables.writer:write_csv", "abhidhan.csv", "text/csv",
            sentence("A table with one row per word per meaning"), "tsv")),
    Format("xlsx",
        exporter=ExportFormat("tables.writer:write_xlsx", "abhidhan.xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            sentence("The same table as a spreadsheet"), "excel xls ods")),
    Format("stardict",
        exporter=ExportFormat("writers.stardict:write_stardict", "abhidhan-stardict.zip", _ZIP_TYPE,
            sentence("For GoldenDict, KOReader and other StarDict apps"), "goldendict koreader")),
    Format("dsl",
        exporter=ExportFormat("writers.dsl:write_dsl", "abhidhan-dsl.zip", _ZIP_TYPE,
            sentence("DSL file for GoldenDict and Lingvo"), "lingvo")),
    Format("yomitan",
        exporter=ExportFormat("writers.yomitan:write_yomitan", "abhidhan-yomitan.zip", _ZIP_TYPE,
            sentence("For Yomitan, a browser add-on that shows the meaning of the word under the mouse pointer"),
            "yomichan")),
    Format("zim",
        exporter=ExportFormat("zim.writer:write_zim", "abhidhan.zim", "application/x-zim",
            sentence("The whole dictionary as an offline website, for Kiwix"), "kiwix",
            package="libzim")),
    Format("tei",
        ImportFormat("tei.reader:read_tei", "TEI as FreeDict writes it, and TEI Lex-0", "freedict"),
        ExportFormat("tei.writer:write_tei", "abhidhan.tei.xml", "application/tei+xml",
            sentence("A TEI Lex-0 document"))),
    Format("wn-lmf",
        ImportFormat("wn_lmf.reader:read_wn_lmf", "WN-LMF, the Global WordNet Association's XML", "lmf"),
        ExportFormat("wn_lmf.writer:write_wn_lmf", "abhidhan-wn.xml", "application/xml",
            sentence("A wordnet for each language, WN-LMF 1.4"), "wordnet lmf")),
    Format("wordnet",
        ImportFormat("wordnet:read_wordnet", "a folder of Princeton WordNet's wndb files", "wndb princeton")),
    Format("omw", ImportFormat("omw:read_omw", "Open Multilingual Wordnet's `wn-….tab` files, one or many")),
    Format("ontolex",
        exporter=ExportFormat("ontolex.writer:write_turtle", "abhidhan.ttl", "text/turtle",
            sentence("Linked data in OntoLex-Lemon, as Turtle"), "rdf turtle ttl lemon json-ld jsonld",
            is_compressed=True)),
    Format("cldf",
        ImportFormat("cldf.reader:read_cldf",
            "a CLDF word list or dictionary, with its metadata", recordings="cldf.recordings:read_recordings"),
        ExportFormat("cldf.writer:write_cldf", "abhidhan-cldf.zip", _ZIP_TYPE,
            sentence("CLDF dataset, for comparative linguistics"), has_recordings=True)),
    Format("lift",
        ImportFormat("lift.reader:read_lift",
            "LIFT 0.13: a `.lift` file of FieldWorks, WeSay or The Combine, alone or in its folder or zip",
            "fieldworks flex wesay", recordings="lift.recordings:read_recordings"),
        ExportFormat("lift.writer:write_lift", "abhidhan-lift.zip", _ZIP_TYPE,
            sentence("LIFT, for FieldWorks and similar programs"), "fieldworks flex", has_recordings=True)),
    Format("wiktextract",
        ImportFormat("wiktextract.reader:read_wiktextract",
            "Wiktextract's JSON lines of Wiktionary (kaikki.org)", "kaikki wiktionary")),
    Format("dictpress", ImportFormat("dictpress:read_dictpress", "dictpress's CSV of entries and definitions")),
    Format("pairs", ImportFormat("pairs:read_pairs", "a word, a tab, its translation (GATITOS)", "gatitos")),
    Format("proverbs", ImportFormat("proverbs:read_proverbs", "a table of proverbs: text, roman, meaning, category")),
    Format("unimorph",
        ImportFormat("unimorph:read_unimorph",
            "UniMorph: inflected forms of words already in the dictionary", "forms")),
    Format("hunspell",
        exporter=ExportFormat("hunspell:write_hunspell", "abhidhan-hunspell.zip", _ZIP_TYPE,
            sentence("Word lists for spell checking, for Hunspell"), "spelling dic")),
    Format("frequencies",
        ImportFormat("frequencies:read_frequencies",
            "frequencies of words already in the dictionary", "frequency counts"),
        ExportFormat("frequencies:write_frequencies", "abhidhan-frequencies.zip", _ZIP_TYPE,
            sentence("Word frequencies, the most frequent words first"), "wordlist frequency")),
    Format("pdf",
        exporter=ExportFormat("pdf.writer:write_pdf", "abhidhan.pdf", "application/pdf",
            "A printed dictionary, in two columns", "print paper book", is_offered=False)),
    Format("anki",
        exporter=ExportFormat("writers.anki:write_anki", "abhidhan.apkg", "application/octet-stream",
            sentence("All flashcards, for Anki"), "apkg flashcards", has_recordings=True)),
    Format(SQLITE_FORMAT,
        exporter=ExportFormat("", "abhidhan.sqlite3", "application/vnd.sqlite3",
            sentence("An SQLite database, read-only"), "sqlite3 db")),
    Format(RECORDINGS_FORMAT,
        ImportFormat("", "a folder of recordings with a list of what is said in each"),
        # The page offers it when there are recordings.
        ExportFormat("", "abhidhan-recordings.zip", _ZIP_TYPE,
            sentence("All recordings, with a list of what is said in each"), has_recordings=True, is_offered=False)),
)
# fmt: on

IMPORTERS: Final[Mapping[str, ImportFormat]] = MappingProxyType(
    {each.name: each.importer for each in FORMATS if each.importer}
)
EXPORTERS: Final[Mapping[str, ExportFormat]] = MappingProxyType(
    {each.name: each.exporter for each in FORMATS if each.exporter}
)

DOWNLOAD_FORMATS: Final = tuple(name for name, each in EXPORTERS.items() if each.is_offered)
"""The formats of the files at /downloads."""

LANGUAGE_DOWNLOAD_FORMATS: Final = ("stardict", "yomitan", "csv", "jsonl")
"""The formats of the files for a single language: for phones, browsers, spreadsheets and programs."""


def map_aliases(table: Mapping[str, ImportFormat] | Mapping[str, ExportFormat]) -> dict[str, str]:
    """Return a mapping from aliases to names of formats."""
    return {other: name for name, item in table.items() for other in item.aliases.split()}


# --- removed formats, and their replacements ------------------------------------------------------------------------


_CONVERSION_HELP: Final = (
    "{} files are no longer read. Convert them with pyglossary: pyglossary {} words.csv --remove-html-all "
    "--write-options=enable_info=False; then: abhidhan import csv words.csv --columns word:en,definition:as,forms "
    "--source CODE --licence LICENCE (docs/importing.md says what to write for en and as)."
)

REMOVED_READERS: Final = MappingProxyType(
    {
        "cldr": (
            "Unicode CLDR is no longer read: the starter dictionary has its words. Write further ones as a table, "
            "then: abhidhan import csv words.csv --columns key,word:as --source cldr --licence Unicode-3.0."
        ),
        "dictd": _CONVERSION_HELP.format("dictd's", "words.index"),
        "dsl": _CONVERSION_HELP.format("DSL", "words.dsl"),
        "indowordnet": (
            "IndoWordNet's own files are no longer read. Make a table of each file of synsets: "
            "sed 's/,/, /g; s/_/ /g' all.assamese > assamese.tsv; then: abhidhan import csv assamese.tsv "
            "--columns key,word:as,definition:as,pos --source indowordnet --licence CC-BY-SA-4.0."
        ),
        "stardict": _CONVERSION_HELP.format("StarDict", "words.ifo"),
    }
)

_COMPRESSED_FORMAT_HELP: Final = (
    "{0} is no longer a format of its own. Write the same file with: abhidhan export {1} -o {2}."
)

REMOVED_WRITERS: Final = MappingProxyType(
    {
        "jsonl.gz": _COMPRESSED_FORMAT_HELP.format("jsonl.gz", "jsonl", "abhidhan.jsonl.gz"),
        "ontolex.gz": _COMPRESSED_FORMAT_HELP.format("ontolex.gz", "ontolex", "abhidhan.ttl.gz"),
        "ontolex-json": (
            "Linked data are no longer exported as JSON-LD. Export Turtle, which programs for linked data convert: "
            "abhidhan export ontolex."
        ),
        "dictd": (
            "dictd's format is no longer exported. Export StarDict: abhidhan export stardict; pyglossary and "
            "dictfmt convert it to a database for dictd (docs/exporting.md)."
        ),
    }
)

_SUFFIXES_BY_FORMAT: Final = {
    "dsl": (".dsl", ".dsl.dz", ".dsl.gz"),
    "stardict": (".ifo", ".idx", ".idx.gz", ".syn"),
    "dictd": (".index", ".dict", ".dict.dz"),
}
"""File extensions by removed format; StarDict has `.dict` files too, but always with an `.ifo` file."""


def find_removed_format(names: Iterable[str]) -> str | None:
    """Return the removed format that files have, judged by their extensions; None if there is none."""
    lower = [name.lower() for name in names]
    return next(
        (name for name, endings in _SUFFIXES_BY_FORMAT.items() if any(one.endswith(endings) for one in lower)), None
    )
