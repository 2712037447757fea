"""Inputs of writers, made from records."""

from collections.abc import Sequence

from abhidhan.formats.writers.export_source import ExportSource
from abhidhan.records.kinds import IdeaRecord, Record, SourceRecord
from abhidhan.records.languages import Language


def make_export(
    records: Sequence[Record], sources: Sequence[SourceRecord], languages: Sequence[Language] = ()
) -> ExportSource:
    """Return the input of a writer with these records; it has no forms and no flashcards."""
    ideas = [record for record in records if isinstance(record, IdeaRecord)]
    return ExportSource(
        "Abhidhan",
        0,
        tuple(languages),
        tuple(sources),
        records=lambda: iter(records),
        ideas=lambda: iter(ideas),
        numbered_ideas=lambda: iter(()),
        numbered_forms=lambda: iter(()),
        words=lambda _: iter(()),
        stored_forms=lambda _: {},
        card_sets=lambda: iter(()),
    )
