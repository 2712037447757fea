"""Resolution of names in imported records: new languages are added, unknown values are left out and reported."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from abhidhan.formats.languages import canonical_code, describe_language
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import Problem, quoted
from abhidhan.records.import_records import Fault, Placed
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

KINDS: Final = {
    "pos": ListName.PARTS_OF_SPEECH,
    "context": ListName.CONTEXTS,
    "gender": ListName.GENDERS,
    "variant": ListName.VARIANTS,
}
"""Lists whose unknown values are left out, instead of the whole record."""


class KnownNames:
    """Resolver of the names in a stream of records."""

    def __init__(self, catalogue: Catalogue, on_left_out: Callable[[Fault], None] = lambda _: None) -> None:
        """Initialise with the names in the database; `on_left_out` is called with each value that is left out."""
        self._languages = {language.code for language in catalogue.languages}
        self._items = {(item.list, item.value.casefold()): item.value for item in catalogue.items}
        self._unassigned = {item.value.casefold() for item in catalogue.items if is_unassigned(item)}
        self._on_left_out = on_left_out
        self._said: dict[tuple[str, str], str] = {}
        self.new: list[LanguageRecord] = []
        self.unknown: Counter[tuple[str, str]] = Counter()

    def resolve(self, records: Iterable[Placed | Fault]) -> Iterator[Placed | Fault]:
        """Yield records with known names, each new language before its first use; report and drop unknown ones."""
        for one in records:
            if isinstance(one, Fault):
                yield one
                continue
            self._learn(one.record)
            wrong = set()
            for code in codes_of(one.record):
                if code in self._languages:
                    continue
                if canonical_code(code) == code:
                    yield self._introduce(code, one)
                else:
                    wrong.add(code)
            if wrong:
                yield from self._without(one, wrong)
            else:
                yield self._with_known_values(one)

    def _learn(self, record: Record) -> None:
        if isinstance(record, LanguageRecord):
            self._languages.add(record.code)
        elif isinstance(record, ListItemRecord):
            self._items[record.list, record.value.casefold()] = record.value
            if record.list == ListName.PARTS_OF_SPEECH and record.short == UNASSIGNED_CODE:
                self._unassigned.add(record.value.casefold())

    def _introduce(self, code: str, placed: Placed) -> Placed:
        language = describe_language(code)
        self._languages.add(code)
        self.new.append(language)
        return Placed(placed.file, placed.line, language)

    def _without(self, placed: Placed, wrong: set[str]) -> Iterator[Placed | Fault]:
        for code in sorted(wrong):
            self.unknown["language", code] += 1
            detail = (
                f"There is no language {quoted(code)} (ISO 639-3, BCP 47). Use its code, such as asm, or map it "
                "with --map."
            )
            yield Fault(placed.file, placed.line, detail, (Problem("language", detail),))
        record = placed.record
        if isinstance(record, IdeaRecord):
            left = msgspec.structs.replace(
                record,
                words=tuple(word for word in record.words if word.language not in wrong),
                definitions=tuple(one for one in record.definitions if one.language not in wrong),
                examples=tuple(one for one in record.examples if one.language not in wrong),
            )
            if left.words or left.definitions:
                yield self._with_known_values(Placed(placed.file, placed.line, left))

    def _with_known_values(self, placed: Placed) -> Placed:
        """Drop unknown parts of speech, contexts, genders and variants, and count them."""
        record = placed.record
        if not isinstance(record, IdeaRecord):
            return placed
        contexts = tuple(name for name in record.contexts if self._knows("context", name, placed))
        gender = record.gender if record.gender and self._knows("gender", record.gender, placed) else None
        pos = record.pos if record.pos and self._knows("pos", record.pos, placed) else None
        words = record.words
        if any(word.variant for word in words):
            words = tuple(self._with_known_variant(word, placed) for word in words)
        if (contexts, gender, pos) == (record.contexts, record.gender, record.pos) and words == record.words:
            return placed
        left = msgspec.structs.replace(record, contexts=contexts, gender=gender, pos=pos, words=words)
        return Placed(placed.file, placed.line, left)

    def _with_known_variant(self, word: WordRecord, placed: Placed) -> WordRecord:
        if word.variant is None or self._knows("variant", word.variant, placed):
            return word
        return msgspec.structs.replace(word, variant=None)

    def _knows(self, kind: str, value: str, placed: Placed) -> bool:
        is_unassigned = kind == "pos" and value.casefold() in self._unassigned
        if (KINDS[kind], value.casefold()) in self._items and not is_unassigned:
            return True
        self.unknown[kind, value] += 1
        if (kind, value) not in self._said:
            self._said[kind, value] = self._say(kind, value)
        detail = self._said[kind, value]
        self._on_left_out(Fault(placed.file, placed.line, detail, (Problem(kind, detail),)))
        return False

    def _say(self, kind: str, value: str) -> str:
        """Describe an unknown value, with a suggestion."""
        if kind == "pos" and value.casefold() in self._unassigned:
            return f"{quoted(value)} is not a part of speech, and is left out."
        of_list = {said: said for (name, _), said in self._items.items() if name == KINDS[kind]}
        called = f"There is no {LIST_VALUE_NAMES[KINDS[kind]]} {quoted(value)}; it is left out."
        meant = did_you_mean(value, of_list)
        return f"{called}{meant} Use a value of the list, or map it with --map '{kind}:{value}=…'."


def codes_of(record: Record | ReviewedRecord) -> Iterable[str]:
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


ALIKE_ENOUGH = 0.6
"""Minimum similarity of a suggested name, from 0 to 1."""


def no_such(what: str, name: str, names: Iterable[str], other_names: Mapping[str, str]) -> str:
    """Format an error for an unknown name, with a suggestion and the known names.

    `other_names` maps common alternatives to the names.
    """
    there = tuple(names)
    meant = did_you_mean(name, {**{one: one for one in there}, **other_names})
    return f"There is no {what} {quoted(name)}.{meant} There are {', '.join(there)}."


def did_you_mean(name: str, known: Mapping[str, str]) -> str:
    """Format a suggestion if a similar name exists, else return an empty text; `known` maps spellings to names."""
    spelled = {spelling.casefold(): meant for spelling, meant in known.items()}
    typed = name.strip().removeprefix(".").casefold()
    near = [typed] if typed in spelled else get_close_matches(typed, spelled, 1, ALIKE_ENOUGH)
    return f" Did you mean {spelled[near[0]]}?" if near else ""
