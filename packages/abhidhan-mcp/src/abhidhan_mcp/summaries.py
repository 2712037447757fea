"""Summaries of the API's records for assistants: the main fields of each record, with shortened lists."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

MAX_MEANINGS: Final = 6
MAX_TRANSLATIONS: Final = 12
MAX_EXAMPLES: Final = 2
MAX_TEXT_LENGTH: Final = 600

JsonObject = dict[str, Any]
"""A decoded JSON object."""

WORD_FIELDS: Final = (
    "id,word,language_id,roman,ipa,ipa_generated,origin,"
    "idea_id,pos,contexts,definitions,translations,examples,reference"
)
"""The value of the request parameter `fields`: the fields that `summarize_word` reads."""


def summarize_query_word(item: Mapping[str, Any], codes: Mapping[int, str], count: int) -> JsonObject:
    """Summarize the result for one word of a query: its first `count` entries; `more_entries` counts the others."""
    entries = item["entries"]
    return _without_empty(
        {
            "text": item["queryword"],
            "match": item["match"],
            "entries": [summarize_word(word, codes) for word in entries[:count]],
            "more_entries": len(entries) - count,
            "suggestions": [f"{word['word']} ({_language_code(word, codes)})" for word in item["suggestions"]],
        }
    )


def summarize_word(word: Mapping[str, Any], codes: Mapping[int, str]) -> JsonObject:
    """Summarize a word; `codes` are the language codes by ID, and `more_meanings` counts the meanings left out."""
    meanings = word["meanings"]
    return _without_empty(
        {
            "id": word["id"],
            "word": word["word"],
            "language": _language_code(word, codes),
            "roman": word["roman"],
            "ipa": None if word["ipa_generated"] else word["ipa"],
            "origin": _shorten(word["origin"]),
            "meanings": [_summarize_meaning(meaning, codes) for meaning in meanings[:MAX_MEANINGS]],
            "more_meanings": max(0, len(meanings) - MAX_MEANINGS),
        }
    )


def _summarize_meaning(meaning: Mapping[str, Any], codes: Mapping[int, str]) -> JsonObject:
    translations: dict[str, list[str]] = {}
    for word in meaning["translations"][:MAX_TRANSLATIONS]:
        translations.setdefault(_language_code(word, codes), []).append(word["word"])
    return _without_empty(
        {
            "idea_id": meaning["idea_id"],
            "part_of_speech": meaning["pos"]["value"] if meaning["pos"] else None,
            "contexts": [context["value"] for context in meaning["contexts"]],
            "definitions": _texts_by_language(meaning["definitions"], codes),
            "translations": translations,
            "examples": [_shorten(example["text"]) for example in meaning["examples"][:MAX_EXAMPLES]],
            "reference": _shorten(meaning["reference"]),
        }
    )


def summarize_phrase(phrase: Mapping[str, Any], codes: Mapping[int, str]) -> JsonObject:
    """Summarize a proverb or an idiom, with its similarity if it was found by similarity."""
    return _without_empty(
        {
            "id": phrase["id"],
            "phrase": phrase["phrase"],
            "roman": phrase["roman"],
            "meanings": _texts_by_language(phrase["meanings"], codes),
            "similarity": phrase.get("similarity"),
        }
    )


def _texts_by_language(texts: Iterable[Mapping[str, Any]], codes: Mapping[int, str]) -> dict[str, str | None]:
    """Return the first text of each language, by its code."""
    texts_by_code: dict[str, str | None] = {}
    for text in texts:
        texts_by_code.setdefault(_language_code(text, codes), _shorten(text["text"]))
    return texts_by_code


def _language_code(record: Mapping[str, Any], codes: Mapping[int, str]) -> str:
    """Return the code of the language of a record, or its ID if the list of languages lacks it."""
    language_id: int = record["language_id"]
    return codes.get(language_id, str(language_id))


def _shorten(text: str | None) -> str | None:
    """Truncate a long text, and append an ellipsis."""
    return text if text is None or len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1].rstrip() + "…"


def _without_empty(record: JsonObject) -> JsonObject:
    """Remove the keys without a value."""
    return {key: value for key, value in record.items() if value not in (None, "", [], {}, 0)}
