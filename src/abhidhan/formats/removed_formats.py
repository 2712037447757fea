"""Formats of earlier versions that are no longer read or written, by their names: what to do instead."""

from types import MappingProxyType
from typing import Final

REMOVED_READERS: Final = MappingProxyType(
    {
        "cldr": (
            "Unicode CLDR is no longer read: the starter dictionary has its words. Write further ones as a table, "
            "then: abhidhan import csv words.csv --columns key,word:as --source cldr --licence Unicode-3.0."
        ),
        "indowordnet": (
            "IndoWordNet's own files are no longer read. Make a table of each file of synsets: "
            "sed 's/,/, /g; s/_/ /g' all.assamese > assamese.tsv; then: abhidhan import csv assamese.tsv "
            "--columns key,word:as,definition:as,pos --source indowordnet --licence CC-BY-SA-4.0."
        ),
    }
)

REMOVED_WRITERS: Final = MappingProxyType(
    {
        "dictd": (
            "dictd's format is no longer written. Export StarDict: abhidhan export stardict; pyglossary and dictfmt "
            "make a database for dictd of it (docs/exporting.md)."
        ),
    }
)
