"""The answer of a look-up, which several addresses give."""

from typing import Final

import msgspec

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service.lookup import LookupResult

API_VERSION: Final = "1"
DOCUMENTATION: Final = "/api/docs"


class DictionaryMetadata(msgspec.Struct, frozen=True):
    """About an answer of `dic.php`: the query as it was understood, what of it was found, and which saying it is."""

    version: str
    query: str
    language_id: int
    querywords: int
    matches: int
    licence: str
    documentation: str
    phrases: tuple[SimilarPhrase, ...]


class DictionaryAnswer(msgspec.Struct, frozen=True):
    """The answer of `dic.php`."""

    dictapi: DictionaryMetadata
    querywords: tuple[QueryWord, ...]

    @classmethod
    def of(cls, query: str, found: LookupResult) -> "DictionaryAnswer":
        """Answer a query with what was found for it."""
        metadata = DictionaryMetadata(
            version=API_VERSION,
            query=query,
            language_id=found.language_id,
            querywords=len(found.items),
            matches=len([item for item in found.items if item.match is not Match.NONE]),
            licence=found.licences,
            documentation=DOCUMENTATION,
            phrases=found.phrases,
        )
        return cls(metadata, found.items)
