"""Resolve the fields of a query: parts of speech, contexts and languages, by English or Assamese name or number."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from abhidhan.dictionary.model.field_queries import FieldName, FieldQuery, HasValue
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.ids import parse_number
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lookup_lists import ListItem, ListName, part_of_speech_ids
from assamese.keys import exact_key

Translate = Callable[[str], str]
"""Function that returns the Assamese name of a list value or a language; without one, the given name."""

MAX_FIELDS: Final = 6
"""Maximum number of fields in a query; each lengthens the statement that filters words."""

NONEXISTENT_ID: Final = -1
"""ID that no record has, used for contradictory fields: no word is in two languages."""


class ResolvedFields(NamedTuple):
    """Resolved fields of a query. `language_id` is None if no field names a language."""

    word_filter: WordFilter
    language_id: int | None


NO_FIELDS: Final = ResolvedFields(WordFilter(), None)


def resolve_fields(connection: ReadConnection, query: FieldQuery, translate: Translate) -> ResolvedFields:
    """Resolve the fields of a query. Raises InputError, which lists the valid values."""
    if not query.fields:
        return NO_FIELDS
    if len({*query.fields}) > MAX_FIELDS:
        raise InputError.of("q", sentence("Use at most %(most)s fields, such as pos:noun.", most=MAX_FIELDS))
    media = [_find_media(value) for value in query.values(FieldName.HAS)]
    pos_ids = [_find_pos(connection, value, translate) for value in query.values(FieldName.POS)]
    languages = {_find_language(connection, value, translate) for value in query.values(FieldName.LANGUAGE)} - {
        ALL_LANGUAGES
    }
    word_filter = WordFilter(
        # An idea has one part of speech, which must match every `pos` field.
        tuple(sorted(set.intersection(*map(set, pos_ids)) or {NONEXISTENT_ID})) if pos_ids else (),
        tuple(_find_contexts(connection, value, translate) for value in query.values(FieldName.CONTEXT)),
        has_photo=HasValue.PHOTO in media,
        has_audio=HasValue.AUDIO in media,
    )
    language_id = next(iter(languages), None) if len(languages) < 2 else NONEXISTENT_ID  # noqa: PLR2004  # one, or none
    return ResolvedFields(word_filter, language_id)


def _find_media(name: str) -> HasValue:
    for having in HasValue:
        if having == name.casefold():
            return having
    raise _build_unknown_value_error(
        FieldName.HAS, name, sentence("Use one of these: %(names)s.", names="photo, audio")
    )


def _find_pos(connection: ReadConnection, value: str, translate: Translate) -> tuple[int, ...]:
    """Find a part of speech, or all of a class: `noun` matches all kinds of nouns."""
    items = connection.catalogue.list_items(ListName.PARTS_OF_SPEECH)
    in_class = [item for item in items if item.code and _is_same_name(value, item.code, translate)]
    matches = [*dict.fromkeys([*_find_by_name(items, value, translate), *in_class])]
    if not matches:
        names = ", ".join(dict.fromkeys([*(item.code for item in items if item.code), *(item.value for item in items)]))
        raise _build_unknown_value_error(FieldName.POS, value, sentence("Use one of these: %(names)s.", names=names))
    return part_of_speech_ids(matches)


def _find_contexts(connection: ReadConnection, value: str, translate: Translate) -> tuple[int, ...]:
    """Find the contexts with a name, and their subcontexts."""
    matches = _find_by_name(connection.catalogue.list_items(ListName.CONTEXTS), value, translate)
    if not matches:
        hint = sentence("/api/get-list.php?type=CTX and the page /context list all contexts.")
        raise _build_unknown_value_error(FieldName.CONTEXT, value, hint)
    id_lists = (lookup_lists.list_subtree_ids(connection, ListName.CONTEXTS, item.id) for item in matches)
    return tuple(dict.fromkeys(item_id for ids in id_lists for item_id in ids))


def _find_language(connection: ReadConnection, value: str, translate: Translate) -> int:
    if value and not value.strip("0"):
        return ALL_LANGUAGES
    by_name = (
        language
        for language in connection.catalogue.languages
        if any(_is_same_name(value, name, translate) for name in (language.name, language.native_name) if name)
    )
    match = (connection.catalogue.find_language(value) if value else None) or next(by_name, None)
    if match is None:
        raise _build_unknown_value_error(
            FieldName.LANGUAGE, value, sentence("/api/languages lists the codes, names and numbers of all languages.")
        )
    return match.id


def _find_by_name(items: Iterable[ListItem], value: str, translate: Translate) -> list[ListItem]:
    number = parse_number(value)
    return [item for item in items if item.id == number or _is_same_name(value, item.value, translate)]


def _is_same_name(value: str, name: str, translate: Translate) -> bool:
    key = exact_key(value)
    return bool(key) and key in {exact_key(name), exact_key(translate(name))}


def _build_unknown_value_error(field: FieldName, value: str, hint: str) -> InputError:
    """Return the error for an unknown or missing value; `hint` is a sentence that lists the valid values."""
    if not value:
        message = sentence(
            "Put the value right after %(field)s:, as in pos:noun. %(known)s", field=field.value, known=hint
        )
    else:
        message = sentence(
            "%(value)s is not a valid value for %(field)s:. %(known)s",
            field=field.value,
            value=quoted(value),
            known=hint,
        )
    return InputError.of("q", message)
