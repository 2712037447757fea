"""Resolution of names in imported records: new languages are added, unknown values are dropped and reported."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from abhidhan.formats.languages import canonical_code, describe_language
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import (
    CardSetRecord,
    FormsRecord,
    FrequencyRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    WordRecord,
)
from abhidhan.records.lookup_lists import LIST_VALUE_NAMES, UNASSIGNED_CODE, ListName, is_unassigned
from abhidhan.records.submission_payloads import ReviewedRecord

LISTS_BY_KIND: Final = {
    "pos": ListName.PARTS_OF_SPEECH,
    "context": ListName.CONTEXTS,
    "gender": ListName.GENDERS,
    "variant": ListName.VARIANTS,
}
"""The lists of which an unknown value is dropped from its record, by kind of name; in others the record is rejected."""


class NameResolver:
    """Resolver of the names in a stream of records."""

    def __init__(self, catalogue: Catalogue, on_left_out: Callable[[RecordError], None] = lambda _: None) -> None:
        """Initialise with the names in the database; `on_left_out` is called with each value that is left out."""
        self._languages = {language.code for language in catalogue.languages}
        self._items = {(item.list, item.value.casefold()): item.value for item in catalogue.items}
        self._unassigned = {item.value.casefold() for item in catalogue.items if is_unassigned(item)}
        self._on_left_out = on_left_out
        self._descriptions: dict[tuple[str, str], str] = {}
        self.new_languages: list[LanguageRecord] = []
        self.unknown_counts: Counter[tuple[str, str]] = Counter()

    def resolve(self, records: Iterable[LocatedRecord | RecordError]) -> Iterator[LocatedRecord | RecordError]:
        """Yield the records without unknown names, which are counted; insert new languages before their first use."""
        for item in records:
            if isinstance(item, RecordError):
                yield item
                continue
            self._register_names(item.record)
            unknown_codes = set()
            for code in iter_language_codes(item.record):
                if code in self._languages:
                    continue
                if canonical_code(code) == code:
                    yield self._add_language(code, item)
                else:
                    unknown_codes.add(code)
            if unknown_codes:
                yield from self._drop_languages(item, unknown_codes)
            else:
                yield self._drop_unknown_values(item)

    def _register_names(self, record: Record) -> None:
        if isinstance(record, LanguageRecord):
            self._languages.add(record.code)
        elif isinstance(record, ListItemRecord):
            self._items[record.list, record.value.casefold()] = record.value
            if record.list == ListName.PARTS_OF_SPEECH and record.short == UNASSIGNED_CODE:
                self._unassigned.add(record.value.casefold())

    def _add_language(self, code: str, located: LocatedRecord) -> LocatedRecord:
        language = describe_language(code)
        self._languages.add(code)
        self.new_languages.append(language)
        return LocatedRecord(located.file, located.line, language)

    def _drop_languages(self, located: LocatedRecord, unknown_codes: set[str]) -> Iterator[LocatedRecord | RecordError]:
        for code in sorted(unknown_codes):
            self.unknown_counts["language", code] += 1
            detail = (
                f"There is no language {quoted(code)} (ISO 639-3, BCP 47). Use its code, such as asm, or map it "
                "with --map."
            )
            yield RecordError(located.file, located.line, detail, (Problem("language", detail),))
        record = located.record
        if isinstance(record, IdeaRecord):
            remaining = msgspec.structs.replace(
                record,
                words=tuple(word for word in record.words if word.language not in unknown_codes),
                definitions=tuple(one for one in record.definitions if one.language not in unknown_codes),
                examples=tuple(one for one in record.examples if one.language not in unknown_codes),
            )
            if remaining.words or remaining.definitions:
                yield self._drop_unknown_values(LocatedRecord(located.file, located.line, remaining))

    def _drop_unknown_values(self, located: LocatedRecord) -> LocatedRecord:
        """Drop unknown parts of speech, contexts, genders and variants, and count them."""
        record = located.record
        if not isinstance(record, IdeaRecord):
            return located
        contexts = tuple(name for name in record.contexts if self._check_value("context", name, located))
        gender = record.gender if record.gender and self._check_value("gender", record.gender, located) else None
        pos = record.pos if record.pos and self._check_value("pos", record.pos, located) else None
        words = record.words
        if any(word.variant for word in words):
            words = tuple(self._drop_unknown_variant(word, located) for word in words)
        if (contexts, gender, pos) == (record.contexts, record.gender, record.pos) and words == record.words:
            return located
        remaining = msgspec.structs.replace(record, contexts=contexts, gender=gender, pos=pos, words=words)
        return LocatedRecord(located.file, located.line, remaining)

    def _drop_unknown_variant(self, word: WordRecord, located: LocatedRecord) -> WordRecord:
        if word.variant is None or self._check_value("variant", word.variant, located):
            return word
        return msgspec.structs.replace(word, variant=None)

    def _check_value(self, kind: str, value: str, located: LocatedRecord) -> bool:
        is_unassigned = kind == "pos" and value.casefold() in self._unassigned
        if (LISTS_BY_KIND[kind], value.casefold()) in self._items and not is_unassigned:
            return True
        self.unknown_counts[kind, value] += 1
        if (kind, value) not in self._descriptions:
            self._descriptions[kind, value] = self._describe_unknown(kind, value)
        detail = self._descriptions[kind, value]
        self._on_left_out(RecordError(located.file, located.line, detail, (Problem(kind, detail),)))
        return False

    def _describe_unknown(self, kind: str, value: str) -> str:
        """Format the message for an unknown value, with a similar known one if there is any."""
        if kind == "pos" and value.casefold() in self._unassigned:
            return f"{quoted(value)} is not a part of speech, and is left out."
        list_values = {said: said for (name, _), said in self._items.items() if name == LISTS_BY_KIND[kind]}
        problem = f"There is no {LIST_VALUE_NAMES[LISTS_BY_KIND[kind]]} {quoted(value)}: it is left out."
        suggestion = format_suggestion(value, list_values)
        return f"{problem}{suggestion} Use a value of the list, or map it with --map '{kind}:{value}=…'."


def iter_language_codes(record: Record | ReviewedRecord) -> Iterable[str]:
    """Yield the language codes of a record."""
    match record:
        case IdeaRecord():
            for word in record.words:
                yield word.language
            for definition in record.definitions:
                yield definition.language
            for example in record.examples:
                yield example.language
        case FormsRecord() | FrequencyRecord():
            yield record.language
        case PhraseRecord():
            yield record.language
            yield from (one.language for one in record.meanings)
        case CardSetRecord():
            yield record.language
            yield record.answer_language
            yield from (one.language for one in (*record.names, *record.descriptions))


# --- unknown names ---------------------------------------------------------------------------------------------------


MIN_SIMILARITY = 0.6
"""Minimum similarity of a suggested name, from 0 to 1."""


def format_unknown_name(kind: str, name: str, names: Iterable[str], aliases: Mapping[str, str]) -> str:
    """Format an error for an unknown name, with a suggestion and the known names.

    `aliases` maps common alternatives to the names.
    """
    known_names = tuple(names)
    suggestion = format_suggestion(name, {**{one: one for one in known_names}, **aliases})
    return f"There is no {kind} {quoted(name)}.{suggestion} There are {', '.join(known_names)}."


def format_suggestion(name: str, spellings: Mapping[str, str]) -> str:
    """Suggest the name with the most similar spelling; return "" if none is. `spellings` maps spellings to names."""
    names_by_spelling = {spelling.casefold(): meant for spelling, meant in spellings.items()}
    typed = name.strip().removeprefix(".").casefold()
    matches = [typed] if typed in names_by_spelling else get_close_matches(typed, names_by_spelling, 1, MIN_SIMILARITY)
    return f" Did you mean {names_by_spelling[matches[0]]}?" if matches else ""
