"""Formats of earlier versions that are no longer read or written, by their names: what to do instead."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

_CONVERT: Final = (
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
        "dictd": _CONVERT.format("dictd's", "words.index"),
        "dsl": _CONVERT.format("DSL", "words.dsl"),
        "indowordnet": (
            "IndoWordNet's own files are no longer read. Make a table of each file of synsets: "
            "sed 's/,/, /g; s/_/ /g' all.assamese > assamese.tsv; then: abhidhan import csv assamese.tsv "
            "--columns key,word:as,definition:as,pos --source indowordnet --licence CC-BY-SA-4.0."
        ),
        "stardict": _CONVERT.format("StarDict", "words.ifo"),
    }
)

_PACKED: Final = "{0} is no longer a format of its own. Write the same file with: abhidhan export {1} -o {2}."

REMOVED_WRITERS: Final = MappingProxyType(
    {
        "jsonl.gz": _PACKED.format("jsonl.gz", "jsonl", "abhidhan.jsonl.gz"),
        "ontolex.gz": _PACKED.format("ontolex.gz", "ontolex", "abhidhan.ttl.gz"),
        "ontolex-json": (
            "Linked data are no longer written as JSON-LD. Export Turtle, which programs for linked data convert: "
            "abhidhan export ontolex."
        ),
        "dictd": (
            "dictd's format is no longer written. Export StarDict: abhidhan export stardict; pyglossary and dictfmt "
            "make a database for dictd of it (docs/exporting.md)."
        ),
    }
)

_ENDINGS: Final = {
    "dsl": (".dsl", ".dsl.dz", ".dsl.gz"),
    "stardict": (".ifo", ".idx", ".idx.gz", ".syn"),
    "dictd": (".index", ".dict", ".dict.dz"),
}
"""How the files of formats end; `.dict` alone may be of StarDict too, which is told by the files beside it."""


def removed_format_of(names: Iterable[str]) -> str | None:
    """Return the format that is no longer read to which files belong, by their names; None for others."""
    lower = [name.lower() for name in names]
    return next((name for name, endings in _ENDINGS.items() if any(one.endswith(endings) for one in lower)), None)
