"""Records: one module per kind, with its fields, their limits, and its types for input, storage and output.

`Record` is a line of Abhidhan's JSONL format: importers produce it, exporters read it, and the starter dictionary uses
it. Each line is a JSON object, with its kind as `"record"`. List values (POS, CTX, ...) are referenced by their
text, languages by their code and ideas by `source:key`, so that a file means the same in every database. Times are
seconds since 1970, UTC; a missing time is that of the import.
"""

from abhidhan.records.kinds.card import CardRecord, CardSetRecord
from abhidhan.records.kinds.catalogue import LanguageRecord, ListItemRecord, SourceRecord
from abhidhan.records.kinds.entry import IdeaRecord, NumberedIdea
from abhidhan.records.kinds.idea import DefinitionRecord, ExampleRecord, RelationRecord
from abhidhan.records.kinds.phrase import PhraseRecord
from abhidhan.records.kinds.word import FormsRecord, FrequencyRecord, NumberedForms, WordRecord

__all__ = [
    "CardRecord",
    "CardSetRecord",
    "DefinitionRecord",
    "ExampleRecord",
    "FormsRecord",
    "FrequencyRecord",
    "IdeaRecord",
    "LanguageRecord",
    "ListItemRecord",
    "NumberedForms",
    "NumberedIdea",
    "PhraseRecord",
    "Record",
    "RelationRecord",
    "SourceRecord",
    "WordRecord",
]

Record = (
    SourceRecord
    | LanguageRecord
    | ListItemRecord
    | IdeaRecord
    | PhraseRecord
    | CardSetRecord
    | FormsRecord
    | FrequencyRecord
)
