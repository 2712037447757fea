"""The catalogue: languages, lookup lists and sources, small enough to be cached in memory."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from abhidhan.records.ids import parse_number
from abhidhan.records.languages import ALL_LANGUAGES, Language
from abhidhan.records.lookup_lists import (
    UNASSIGNED_CODE,
    UNASSIGNED_NAME,
    ListItem,
    ListName,
    Named,
    is_unassigned,
    part_of_speech_code,
)
from abhidhan.records.orthography import Orthographies
from abhidhan.records.sources import Source


class Catalogue:
    """An immutable index of languages, list items and sources by ID and by name; changes create a new one."""

    def __init__(
        self,
        languages: Iterable[Language],
        items: Iterable[ListItem],
        sources: Iterable[Source],
        empty_language_ids: Iterable[int] = (),
        ids_by_word_count: Iterable[int] = (),
    ) -> None:
        """Index rows of the database.

        `empty_language_ids` are the IDs of the languages without words, `ids_by_word_count` those of the other
        languages, by descending number of words.
        """
        self.languages = tuple(languages)
        self._empty_language_ids = frozenset(empty_language_ids)
        self.ids_by_word_count = tuple(ids_by_word_count)
        self.items = tuple(items)
        self.sources = {source.id: source for source in sources}
        self.languages_by_id = {language.id: language for language in self.languages}
        """The languages by ID; do not modify."""
        self._language_by_code = {language.code.casefold(): language for language in self.languages}
        self._language_by_code |= {language.iso639_3: language for language in self.languages if language.iso639_3}
        self._language_by_name = {str(language.id): language for language in self.languages} | self._language_by_code
        self._list_values: dict[tuple[str, int | None], Named] = {
            (item.list, item.id): Named(item.id, item.value) for item in self.items
        }
        self._orthography_cache: dict[int, Orthographies] = {}
        self._items_by_value = {(item.list, item.value.casefold()): item for item in self.items}

    @cached_property
    def licences(self) -> str:
        """The names of the licences of all sources, without duplicates, separated by semicolons."""
        return "; ".join(sorted({source.licence for source in self.sources.values()}))

    @cached_property
    def _all_orthographies(self) -> Orthographies:
        return Orthographies(language for language in self.languages if language.id not in self._empty_language_ids)

    def orthographies(self, language_id: int) -> Orthographies:
        """Return the orthography of a language, or for ALL_LANGUAGES those of all languages with words.

        Raises KeyError for an unknown ID.
        """
        if language_id == ALL_LANGUAGES:
            return self._all_orthographies
        orthographies = self._orthography_cache.get(language_id)
        if orthographies is None:
            orthographies = self._orthography_cache[language_id] = Orthographies(
                (self.language(language_id),), is_single=True
            )
        return orthographies

    def language(self, language_id: int) -> Language:
        """Return a language by its ID. Raises KeyError for an unknown ID."""
        return self.languages_by_id[language_id]

    @cached_property
    def language_names_json(self) -> dict[int, bytes]:
        """The name of each language as a JSON string, by language ID."""
        return {language.id: msgspec.json.encode(language.name) for language in self.languages}

    @cached_property
    def parts_of_speech_json(self) -> dict[int | None, bytes]:
        """All parts of speech as JSON for responses, by ID; do not modify."""
        values = self._list_values_json.items()
        return {item_id: json for (list_name, item_id), json in values if list_name == ListName.PARTS_OF_SPEECH}

    @cached_property
    def coded_parts_of_speech_json(self) -> dict[int | None, bytes]:
        """JSON of the response fields `pos`, `posDesc` and `posID` by part of speech ID; None is the unassigned one."""
        items = self.list_items(ListName.PARTS_OF_SPEECH)
        coded = [(part_of_speech_code(item), item.value, item.id) for item in items]
        return {
            one[-1]: b'%b,"posDesc":%b,"posID":%b' % tuple(map(msgspec.json.encode, one))
            for one in (*coded, (UNASSIGNED_CODE, UNASSIGNED_NAME, None))
        }

    def find_language(self, name: str) -> Language | None:
        """Return a language by ID (`2`), BCP 47 code (`as`) or ISO 639-3 code (`asm`), or None."""
        language = self._language_by_name.get(name)
        if language is not None:
            return language
        if name.isascii() and name.isdigit():
            number = parse_number(name)
            return None if number is None else self.languages_by_id.get(number)
        return self._language_by_code.get(name.casefold())

    def list_value(self, list_name: str, item_id: int | None) -> Named | None:
        """Return a list item for a response, or None."""
        return self._list_values.get((list_name, item_id))

    def list_value_json(self, list_name: str, item_id: int | None) -> bytes:
        """Return a list item as JSON for a response, or `null`."""
        return self._list_values_json.get((list_name, item_id), b"null")

    @cached_property
    def _list_values_json(self) -> dict[tuple[str, int | None], bytes]:
        return {key: msgspec.json.encode(named) for key, named in self._list_values.items()}

    def find_item(self, list_name: str, value: str) -> ListItem | None:
        """Return a list item by its value, ignoring case, or None."""
        return self._items_by_value.get((list_name, value.casefold()))

    def find_item_by_id(self, list_name: str, item_id: int) -> ListItem | None:
        """Return a list item by its ID, or None."""
        return next((item for item in self.items if (item.list, item.id) == (list_name, item_id)), None)

    @cached_property
    def assignable_parts_of_speech(self) -> tuple[ListItem, ...]:
        """The parts of speech that an idea can have, in list order."""
        return tuple(item for item in self.list_items(ListName.PARTS_OF_SPEECH) if not is_unassigned(item))

    def list_items(self, list_name: str) -> tuple[ListItem, ...]:
        """Return the items of one list, in list order."""
        return tuple(item for item in self.items if item.list == list_name)
