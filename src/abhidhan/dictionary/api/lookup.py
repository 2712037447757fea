"""/api/lookup, a look-up of many words, and the response of `dic.php` for one query."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, post
from litestar.datastructures import State
from litestar.params import JSONBody

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.model.field_selection import KEYS_OF_WORDS, LANGS, FieldParams
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service import lookup
from abhidhan.dictionary.service.lookup import LookupResult
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.parameters import LONGEST_TEXT, SOME_TEXT, list_of
from abhidhan.platform.http.query import clean_text
from abhidhan.platform.http.rate_limit import ALLOWANCE, Allowance
from abhidhan.records.errors import InputError
from abhidhan.records.ids import Count

API_VERSION: Final = "1"
DOCUMENTATION: Final = "/api/docs"


class DictionaryMetadata(msgspec.Struct, frozen=True):
    """Metadata of a response of `dic.php`: the query as interpreted, the number of matches, and matching proverbs."""

    version: str
    query: str
    language_id: int
    querywords: int
    matches: int
    licence: str
    documentation: str
    phrases: tuple[SimilarPhrase, ...]


class DictionaryAnswer(msgspec.Struct, frozen=True):
    """The response of `dic.php`."""

    dictapi: DictionaryMetadata
    querywords: tuple[QueryWord, ...]

    @classmethod
    def of(cls, query: str, found: LookupResult) -> "DictionaryAnswer":
        """Convert the result of a look-up to the response."""
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


MOST_WORDS: Final = 100
LARGEST_BODY: Final = 256 * 1024

QueryText = Annotated[str, msgspec.Meta(pattern=SOME_TEXT, extra_json_schema={"maxLength": LONGEST_TEXT})]

_Names = str | list[str | Count] | None
"""A list of names as a JSON array, or separated by commas as in a query."""

_KEYS: Final = list_of("|".join(KEYS_OF_WORDS))
_Fields = (
    Annotated[str, msgspec.Meta(extra_json_schema={"pattern": rf"^\s*$|{_KEYS}"})]
    | list[Annotated[str, msgspec.Meta(extra_json_schema={"pattern": _KEYS})]]
    | None
)
"""Names of keys. The valid ones are only in the documentation, since errors name an invalid one."""


class LookupRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words to look up, each like `w` of `dic.php`; `language`, `fields` and `langs` are as there."""

    words: Annotated[list[QueryText], msgspec.Meta(min_length=1, max_length=MOST_WORDS)]
    language: str | Count | None = None
    fields: _Fields = None
    langs: _Names = None


class LookupAnswer(msgspec.Struct, frozen=True):
    """The responses of `dic.php` for each of the words, in their order."""

    data: list[DictionaryAnswer]
    count: int


@post(
    "/api/lookup",
    tags=["Look-up"],
    summary="Look up many words at once",
    status_code=200,
    request_max_body_size=LARGEST_BODY,
)
async def look_up_each(
    request: Request[Any, Any, State], dictionary: GivenDictionary, data: JSONBody[LookupRequest]
) -> LookupAnswer:
    """Look up at most 100 words, each like `dic.php`; each counts as a request towards the rate limit."""
    words = [_cleaned(word) for word in data.words]
    choice = FieldParams(_joined(data.fields), _joined(data.langs))
    if choice.langs is not None and len(choice.langs) > LONGEST_TEXT:
        raise InputError.of(LANGS, f"`{LANGS}` must have at most {LONGEST_TEXT} characters.")
    _count(request, len(words))
    language = LanguageParam(str(data.language or "0").strip() or "0")
    found = await lookup.look_up_queries(dictionary, words, language, choice)
    answers = [DictionaryAnswer.of(word, each) for word, each in zip(words, found, strict=True)]
    return LookupAnswer(answers, len(answers))


def _count(request: Request[Any, Any, State], words: int) -> None:
    """Count the words towards the client's rate limit; the request itself was counted. Raises TooManyRequestsError."""
    allowance: Allowance | None = request.scope.get(ALLOWANCE)  # type: ignore[assignment]  # a scope key of this application
    if allowance is None or words == 1:
        return
    most = allowance.rate.requests
    if words > most:
        raise InputError.of(
            "words", f"`words` may contain at most {most} words: each counts towards the limit of {allowance.rate}."
        )
    allowance.take(words - 1)


def _cleaned(word: str) -> str:
    """Clean a word like a query. Raises InputError."""
    cleaned = clean_text(word)
    if len(cleaned) > LONGEST_TEXT:
        raise InputError.of("words", f"Each of `words` must have from 1 to {LONGEST_TEXT} characters.")
    return cleaned


def _joined(names: str | Sequence[str | int] | None) -> str | None:
    """Join a list of names with commas; return None for an empty one."""
    if isinstance(names, str):
        return clean_text(names) or None
    return ",".join(map(str, names)) if names else None
