"""Records: one file a kind, with its fields, their limits, and every shape in which it comes in, is kept and goes out.

`Record` is what Abhidhan's own JSONL is made of: what importers make, exporters read and the starter dictionary is
written in. One JSON object a line; `"record"` says which kind. Lists (POS, CTX, ...) and languages are named by their
value and code, ideas by `source:key`, so that a file means the same in every database. Times are seconds since 1970,
UTC; what has none is of the time of its import.
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
