"""Resolve the fields of a query: parts of speech, contexts and languages, by English or Assamese name or number."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from abhidhan.dictionary.model.field_queries import FieldName, FieldQuery, Having
from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.store.word_filters import WordChoice
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.ids import read_number
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.records.lookup_lists import ListItem, ListName, ids_of
from assamese.keys import exact_key

Translate = Callable[[str], str]
"""Returns the Assamese name of a list value or a language, or the name unchanged if there is none."""

MOST_FIELDS: Final = 6
"""Maximum number of fields in a query; each lengthens the statement that filters words."""

NOBODY_HAS: Final = -1
"""ID that no record has, used for contradictory fields: no word is in two languages."""


class NamedFields(NamedTuple):
    """Resolved fields of a query. `language_id` is None if no field names a language."""

    choice: WordChoice
    language_id: int | None


NO_FIELDS: Final = NamedFields(WordChoice(), None)


def read_named_fields(reader: Reader, asked: FieldQuery, translate: Translate) -> NamedFields:
    """Resolve the fields of a query. Raises InputError, which lists the valid values."""
    if not asked.fields:
        return NO_FIELDS
    if len({*asked.fields}) > MOST_FIELDS:
        raise InputError.of("q", sentence("Use at most %(most)s fields, such as pos:noun.", most=MOST_FIELDS))
    having = [_find_having(value) for value in asked.values(FieldName.HAS)]
    of_pos = [_find_pos(reader, value, translate) for value in asked.values(FieldName.POS)]
    languages = {_find_language(reader, value, translate) for value in asked.values(FieldName.LANGUAGE)} - {
        ALL_LANGUAGES
    }
    choice = WordChoice(
        # An idea has one part of speech, which must match every `pos` field.
        tuple(sorted(set.intersection(*map(set, of_pos)) or {NOBODY_HAS})) if of_pos else (),
        tuple(_find_contexts(reader, value, translate) for value in asked.values(FieldName.CONTEXT)),
        has_photo=Having.PHOTO in having,
        has_audio=Having.AUDIO in having,
    )
    language_id = next(iter(languages), None) if len(languages) < 2 else NOBODY_HAS  # noqa: PLR2004  # one, or none
    return NamedFields(choice, language_id)


def _find_having(value: str) -> Having:
    for each in Having:
        if each == value.casefold():
            return each
    raise _unknown(FieldName.HAS, value, sentence("Use one of these: %(names)s.", names="photo, audio"))


def _find_pos(reader: Reader, value: str, translate: Translate) -> tuple[int, ...]:
    """Find a part of speech, or all of a class: `noun` matches all kinds of nouns."""
    items = reader.catalogue.items_of(ListName.PARTS_OF_SPEECH)
    of_class = [item for item in items if item.code and _is_name(value, item.code, translate)]
    found = [*dict.fromkeys([*_named_so(items, value, translate), *of_class])]
    if not found:
        names = ", ".join(dict.fromkeys([*(item.code for item in items if item.code), *(item.value for item in items)]))
        raise _unknown(FieldName.POS, value, sentence("Use one of these: %(names)s.", names=names))
    return ids_of(found)


def _find_contexts(reader: Reader, value: str, translate: Translate) -> tuple[int, ...]:
    """Find the contexts with a name, and their subcontexts."""
    found = _named_so(reader.catalogue.items_of(ListName.CONTEXTS), value, translate)
    if not found:
        where = sentence("/api/get-list.php?type=CTX and the page /context list all contexts.")
        raise _unknown(FieldName.CONTEXT, value, where)
    below = (lookup_lists.with_those_below(reader, ListName.CONTEXTS, item.id) for item in found)
    return tuple(dict.fromkeys(item_id for some in below for item_id in some))


def _find_language(reader: Reader, value: str, translate: Translate) -> int:
    if value and not value.strip("0"):
        return ALL_LANGUAGES
    by_name = (
        language
        for language in reader.catalogue.languages
        if any(_is_name(value, name, translate) for name in (language.name, language.native_name) if name)
    )
    found = (reader.catalogue.find_language(value) if value else None) or next(by_name, None)
    if found is None:
        raise _unknown(
            FieldName.LANGUAGE, value, sentence("/api/languages lists the codes, names and numbers of all languages.")
        )
    return found.id


def _named_so(items: Iterable[ListItem], value: str, translate: Translate) -> list[ListItem]:
    number = read_number(value)
    return [item for item in items if item.id == number or _is_name(value, item.value, translate)]


def _is_name(asked: str, name: str, translate: Translate) -> bool:
    key = exact_key(asked)
    return bool(key) and key in {exact_key(name), exact_key(translate(name))}


def _unknown(field: FieldName, value: str, known: str) -> InputError:
    """Return the error for an unknown or missing value; `known` is a sentence that lists the valid values."""
    if not value:
        said = sentence(
            "Put the value right after %(field)s:, as in pos:noun. %(known)s", field=field.value, known=known
        )
    else:
        said = sentence(
            "%(value)s is not a valid value for %(field)s:. %(known)s",
            field=field.value,
            value=quoted(value),
            known=known,
        )
    return InputError.of("q", said)
