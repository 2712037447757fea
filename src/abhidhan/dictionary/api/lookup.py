"""/api/lookup, a look-up of many words, and the response of `dic.php` for one query."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, post
from litestar.datastructures import State
from litestar.params import JSONBody

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.model.field_selection import LANGS_PARAM, WORD_FIELD_NAMES, FieldParams
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service import lookup
from abhidhan.dictionary.service.lookup import LookupResult
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, NON_BLANK_TEXT_PATTERN, build_list_pattern
from abhidhan.platform.http.query import clean_text
from abhidhan.platform.http.rate_limit import ALLOWANCE_KEY, Allowance
from abhidhan.records.errors import InputError
from abhidhan.records.ids import Count

API_VERSION: Final = "1"
DOCUMENTATION_PATH: Final = "/api/docs"


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
    def of(cls, query: str, result: LookupResult) -> "DictionaryAnswer":
        """Convert the result of a look-up to the response."""
        metadata = DictionaryMetadata(
            version=API_VERSION,
            query=query,
            language_id=result.language_id,
            querywords=len(result.items),
            matches=len([item for item in result.items if item.match is not Match.NONE]),
            licence=result.licences,
            documentation=DOCUMENTATION_PATH,
            phrases=result.phrases,
        )
        return cls(metadata, result.items)


MAX_WORDS: Final = 100
MAX_BODY_BYTES: Final = 256 * 1024

QueryText = Annotated[
    str, msgspec.Meta(pattern=NON_BLANK_TEXT_PATTERN, extra_json_schema={"maxLength": MAX_TEXT_LENGTH})
]

_NameList = str | list[str | Count] | None
"""A list of names as a JSON array, or separated by commas as in a query."""

_KEYS_PATTERN: Final = build_list_pattern("|".join(WORD_FIELD_NAMES))
_FieldNames = (
    Annotated[str, msgspec.Meta(extra_json_schema={"pattern": rf"^\s*$|{_KEYS_PATTERN}"})]
    | list[Annotated[str, msgspec.Meta(extra_json_schema={"pattern": _KEYS_PATTERN})]]
    | None
)
"""Names of keys. The valid names are only documented here; the service checks them, to report the invalid one."""


class LookupRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words to look up, each like `w` of `dic.php`; `language`, `fields` and `langs` are as there."""

    words: Annotated[list[QueryText], msgspec.Meta(min_length=1, max_length=MAX_WORDS)]
    language: str | Count | None = None
    fields: _FieldNames = None
    langs: _NameList = None


class LookupAnswer(msgspec.Struct, frozen=True):
    """The responses of `dic.php` for each of the words, in their order."""

    data: list[DictionaryAnswer]
    count: int


@post(
    "/api/lookup",
    tags=["Look-up"],
    summary="Look up many words at once",
    status_code=200,
    request_max_body_size=MAX_BODY_BYTES,
)
async def look_up_each(
    request: Request[Any, Any, State], dictionary: DictionaryDep, data: JSONBody[LookupRequest]
) -> LookupAnswer:
    """Look up at most 100 words, each like `dic.php`; each counts as a request towards the rate limit."""
    words = [_clean_word(word) for word in data.words]
    field_params = FieldParams(_join_names(data.fields), _join_names(data.langs))
    if field_params.langs is not None and len(field_params.langs) > MAX_TEXT_LENGTH:
        raise InputError.of(LANGS_PARAM, f"`{LANGS_PARAM}` must have at most {MAX_TEXT_LENGTH} characters.")
    _count_towards_limit(request, len(words))
    language = LanguageParam(str(data.language or "0").strip() or "0")
    results = await lookup.look_up_queries(dictionary, words, language, field_params)
    answers = [DictionaryAnswer.of(word, result) for word, result in zip(words, results, strict=True)]
    return LookupAnswer(answers, len(answers))


def _count_towards_limit(request: Request[Any, Any, State], word_count: int) -> None:
    """Count the words but the first, which the request counted, towards the limit. Raises TooManyRequestsError."""
    allowance: Allowance | None = request.scope.get(ALLOWANCE_KEY)  # type: ignore[assignment]  # a scope key of this application
    if allowance is None or word_count == 1:
        return
    allowed = allowance.rate.requests
    if word_count > allowed:
        raise InputError.of(
            "words",
            f"`words` may contain at most {allowed} words: each counts towards the limit of {allowance.rate}.",
        )
    allowance.consume(word_count - 1)


def _clean_word(word: str) -> str:
    """Clean a word like a query. Raises InputError."""
    cleaned = clean_text(word)
    if len(cleaned) > MAX_TEXT_LENGTH:
        raise InputError.of("words", f"Each of `words` must have from 1 to {MAX_TEXT_LENGTH} characters.")
    return cleaned


def _join_names(names: str | Sequence[str | int] | None) -> str | None:
    """Join a list of names with commas; return None for an empty one."""
    if isinstance(names, str):
        return clean_text(names) or None
    return ",".join(map(str, names)) if names else None
