"""The shipped dictionary holds together and keeps what its documentation promises."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import resources

import msgspec

from abhidhan.records.kinds import (
    CardSetRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    SourceRecord,
    WordRecord,
)
from assamese.inflection import propose_stems
from assamese.keys import loose_key
from assamese.normalization import split_words

DATA = resources.files("abhidhan.data")
FILES = sorted(file.name for file in DATA.iterdir() if file.name.endswith(".jsonl"))
DECODER = msgspec.json.Decoder(Record)

LINES = [line for name in FILES for line in DATA.joinpath(name).read_text("utf-8").splitlines()]
RECORDS = [DECODER.decode(line) for line in LINES]

SOURCES = [record for record in RECORDS if isinstance(record, SourceRecord)]
LANGUAGES = [record for record in RECORDS if isinstance(record, LanguageRecord)]
ITEMS = [record for record in RECORDS if isinstance(record, ListItemRecord)]
IDEAS = [record for record in RECORDS if isinstance(record, IdeaRecord)]
PHRASES = [record for record in RECORDS if isinstance(record, PhraseRecord)]
CARD_SETS = [record for record in RECORDS if isinstance(record, CardSetRecord)]

BENGALI_RA = "\N{BENGALI LETTER RA}"
JOINERS = re.compile(
    "[\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NO-BREAK SPACE}]"
)
MARKS_THAT_ARE_NO_APOSTROPHE = "'‘`´ʼ"
FOUR = {"as", "bn", "en", "hi"}


def reference(idea: IdeaRecord) -> str:
    return f"{idea.source}:{idea.key}"


def values(name: str) -> set[str]:
    return {item.value for item in ITEMS if item.list == name}


def words(language: str) -> Iterator[tuple[IdeaRecord, WordRecord]]:
    return ((idea, word) for idea in IDEAS for word in idea.words if word.language == language)


def english_of(assamese: str) -> set[str]:
    ideas = [idea for idea, word in words("as") if word.text == unicodedata.normalize("NFC", assamese)]
    return {word.text for idea in ideas for word in idea.words if word.language == "en"}


def assamese_texts() -> Iterator[str]:
    for _, word in words("as"):
        yield word.text
        yield from word.forms
    for idea in IDEAS:
        yield from (definition.text for definition in idea.definitions if definition.language == "as")
        yield from (example.text for example in idea.examples if example.language == "as")
    yield from (phrase.text for phrase in PHRASES if phrase.language == "as")
    for card_set in CARD_SETS:
        yield from (card.clue for card in card_set.cards if card_set.language == "as")
        yield from (card.answer for card in card_set.cards if card_set.answer_language == "as")


def repeated(names: Iterable[object]) -> list[object]:
    return [name for name, count in Counter(names).items() if count > 1]


def of_source(source: str) -> list[IdeaRecord]:
    return [idea for idea in IDEAS if idea.source == source]


def with_four_languages(ideas: Iterable[IdeaRecord]) -> list[IdeaRecord]:
    return [idea for idea in ideas if {word.language for word in idea.words} >= FOUR]


def test_every_line_is_nfc() -> None:
    assert [line for line in LINES if line != unicodedata.normalize("NFC", line)] == []


def test_the_starter_is_at_least_as_large_as_documented() -> None:
    of_project = with_four_languages(of_source("abhidhan"))
    assert len(with_four_languages(of_source("cldr"))) >= 1000
    assert len(of_project) >= 200
    assert all(any(each.language == "en" for each in idea.definitions) for idea in of_project)

    examples = [example for idea in IDEAS for example in idea.examples]
    assert len(examples) >= 60
    assert all(example.translation for example in examples)

    assert len(PHRASES) >= 40
    assert all(phrase.meaning for phrase in PHRASES)

    assert len(CARD_SETS) >= 10
    assert min(len(card_set.cards) for card_set in CARD_SETS) >= 5


def test_the_values_of_a_closed_list_are_numbered_from_one() -> None:
    for name, count in (("POS", 22), ("GEN", 4), ("VRT", 22), ("RIC", 17), ("HAC", 40), ("FJCAT", 12)):
        assert [item.id for item in ITEMS if item.list == name] == list(range(1, count + 1)), name


def test_there_are_34_languages_and_clients_know_the_numbers_of_three() -> None:
    codes = {language.id: language.code for language in LANGUAGES}
    assert len(codes) == 34
    assert (codes[1], codes[2], codes[22]) == ("en", "as", "bn")


def test_contexts_form_a_tree_below_the_first() -> None:
    parents = {item.id: item.parent for item in ITEMS if item.list == "CTX"}
    assert [item for item, parent in parents.items() if parent is None] == [1]
    assert all(parent < item for item, parent in parents.items() if parent)


def test_the_inverse_of_an_inverse_relation_is_the_relation() -> None:
    inverse = {item.id: int(item.code) for item in ITEMS if item.list == "RIC" and item.code}
    assert all(inverse[inverse[relation]] == relation for relation in inverse)


def test_no_key_is_used_twice() -> None:
    assert repeated(reference(idea) for idea in IDEAS) == []
    assert repeated((phrase.source, phrase.key) for phrase in PHRASES) == []
    assert repeated((card_set.source, card_set.key) for card_set in CARD_SETS) == []
    assert repeated((item.list, item.id) for item in ITEMS) == []
    assert repeated((item.list, item.value) for item in ITEMS) == []
    assert repeated(language.code for language in LANGUAGES) == []


def test_no_phrase_picture_or_word_of_an_idea_is_repeated() -> None:
    assert repeated(phrase.text for phrase in PHRASES) == []
    assert repeated(idea.glyph for idea in IDEAS if idea.glyph) == []
    assert repeated((reference(idea), word.language, word.text) for idea in IDEAS for word in idea.words) == []


def test_each_sense_of_a_word_has_a_number_of_its_own() -> None:
    numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
    for word in (word for idea in IDEAS for word in idea.words):
        positions = numbers[word.language, word.text]
        positions.append(word.position or max(positions, default=0) + 1)
    assert [word for word, of_word in numbers.items() if sorted(of_word) != list(range(1, len(of_word) + 1))] == []


def test_the_key_of_a_merged_idea_leads_to_an_idea() -> None:
    rows = [line.split("\t") for line in DATA.joinpath("merged.tsv").read_text("utf-8").splitlines()]
    known = {reference(idea) for idea in IDEAS}
    assert rows[0] == ["merged", "kept"]
    assert [merged for merged, _ in rows[1:] if merged in known] == []
    assert [kept for _, kept in rows[1:] if kept not in known] == []


def test_all_records_of_a_spelling_describe_the_word_alike() -> None:
    for fact in ("roman", "origin", "countable", "plural", "definitive"):
        described: dict[tuple[str, str], set[object]] = defaultdict(set)
        for word in (word for idea in IDEAS for word in idea.words if getattr(word, fact) is not None):
            described[word.language, word.text].add(getattr(word, fact))
        assert [word for word, values in described.items() if len(values) > 1] == [], fact


def test_every_source_is_declared_and_says_that_it_is_not_reviewed() -> None:
    declared = {source.code for source in SOURCES}
    used = {idea.source for idea in IDEAS} | {phrase.source for phrase in PHRASES}
    assert used | {card_set.source for card_set in CARD_SETS} == declared
    assert all(source.notice and "reviewed" in source.notice for source in SOURCES)


def test_every_language_is_declared() -> None:
    declared = {language.code for language in LANGUAGES}
    used = {word.language for idea in IDEAS for word in idea.words}
    used |= {definition.language for idea in IDEAS for definition in idea.definitions}
    used |= {example.language for idea in IDEAS for example in idea.examples}
    used |= {phrase.language for phrase in PHRASES}
    used |= {code for card_set in CARD_SETS for code in (card_set.language, card_set.answer_language)}
    assert used <= declared


def test_every_list_value_is_declared() -> None:
    assert {idea.pos for idea in IDEAS} < values("POS")
    assert {idea.gender for idea in IDEAS} - {None} <= values("GEN")
    assert {context for idea in IDEAS for context in idea.contexts} <= values("CTX")
    assert {relation.type for idea in IDEAS for relation in idea.relations} <= values("RIC")
    assert {phrase.category for phrase in PHRASES} <= values("FJCAT")


def test_every_relation_and_card_leads_to_an_idea() -> None:
    known = {reference(idea) for idea in IDEAS}
    assert {relation.idea for idea in IDEAS for relation in idea.relations} <= known
    assert {card.idea for card_set in CARD_SETS for card in card_set.cards if card.idea} <= known


def test_a_relation_is_written_once_and_never_to_itself() -> None:
    inverse = {item.id: int(item.code) for item in ITEMS if item.list == "RIC" and item.code}
    number = {item.value: item.id for item in ITEMS if item.list == "RIC"}
    written = [(reference(idea), number[each.type], each.idea) for idea in IDEAS for each in idea.relations]
    both_ways = written + [(idea, inverse[kind], other) for other, kind, idea in written if kind in inverse]
    assert repeated(both_ways) == []
    assert [one for one, _, other in written if one == other] == []


def test_a_card_shows_words_of_its_idea() -> None:
    texts = {reference(idea): {word.text for word in idea.words} for idea in IDEAS}
    clues = [(card.clue, card.idea) for card_set in CARD_SETS for card in card_set.cards if card.idea]
    assert [clue for clue, idea in clues if clue not in texts[idea]] == []


def test_nouns_have_a_gender_and_verbs_have_none() -> None:
    major = {item.value: item.code for item in ITEMS if item.list == "POS"}
    assert [reference(idea) for idea in IDEAS if major[idea.pos or ""] == "Noun" and idea.gender is None] == []
    assert [reference(idea) for idea in IDEAS if major[idea.pos or ""] == "Verb" and idea.gender] == []


def test_common_words_are_translated() -> None:
    words_in_english = {
        "পানী": "water",
        "মাছ": "fish",
        "শব্দ": "word",
        "অসমীয়া": "Assamese",
        "হাতী": "elephant",
        "ক’লা": "black",
        "কলা": "art",
        "ল’ৰা": "boy",
        "ছোৱালী": "girl",
        "ৰঙা": "red",
        "কুৰি": "twenty",
        "ভাৰত": "India",
        "কথা": "matter",
        "বুলি": "that",
        "লাভ": "profit",
        "মুখ্যমন্ত্ৰী": "chief minister",
        "চৰকাৰ": "government",
    }
    assert [word for word, english in words_in_english.items() if english not in english_of(word)] == []
    assert english_of("ক’লা") & english_of("কলা") == set()


def test_assamese_is_written_with_its_own_letters_one_apostrophe_and_no_invisible_signs() -> None:
    assert [text for text in assamese_texts() if BENGALI_RA in text] == []
    assert [text for text in assamese_texts() if JOINERS.search(text)] == []
    assert [text for text in assamese_texts() if set(text) & set(MARKS_THAT_ARE_NO_APOSTROPHE)] == []


def test_bengali_words_have_no_assamese_letters() -> None:
    assert [word.text for _, word in words("bn") if set(word.text) & set("ৰৱ")] == []


def test_words_have_no_superfluous_space() -> None:
    texts = [word.text for idea in IDEAS for word in idea.words]
    assert [text for text in texts if text != " ".join(text.split()) or not text] == []


EVERYDAY = [DECODER.decode(line) for line in DATA.joinpath("ideas_everyday.jsonl").read_text("utf-8").splitlines()]
EVERYDAY_IDEAS = [record for record in EVERYDAY if isinstance(record, IdeaRecord)]


def assamese_of(idea: IdeaRecord) -> list[str]:
    return [word.text for word in idea.words if word.language == "as"]


def letters(text: str) -> str:
    return loose_key(text, "as")


def is_a_form_in(headword: str, sentence: str) -> bool:
    """Say whether a sentence holds each word of a headword in some form."""
    keys = {letters(word) for word in split_words(sentence)}
    keys |= {stem.key for word in split_words(sentence) for stem in propose_stems(word, "as")}
    return all(letters(part) in keys or part[:3] in sentence for part in split_words(headword))


def test_every_everyday_idea_has_english_and_assamese_words_and_definitions() -> None:
    assert len(EVERYDAY_IDEAS) > 5_000
    assert [idea.key for idea in EVERYDAY_IDEAS if {each.language for each in idea.definitions} != {"as", "en"}] == []
    assert [idea.key for idea in EVERYDAY_IDEAS if not {"as", "en"} <= {word.language for word in idea.words}] == []


def test_no_definition_only_repeats_the_headword() -> None:
    repeating = [
        idea.key
        for idea in EVERYDAY_IDEAS
        for definition in idea.definitions
        if definition.text.strip("।. ").casefold() in {word.text.casefold() for word in idea.words}
    ]
    assert repeating == []


def test_an_example_holds_its_word_in_some_form() -> None:
    without = [
        (idea.key, example.text)
        for idea in EVERYDAY_IDEAS
        for example in idea.examples
        if not any(is_a_form_in(word, example.text) for word in assamese_of(idea))
    ]
    assert without == []


def test_no_two_everyday_ideas_mean_the_same() -> None:
    meanings = [
        (word, idea.pos, tuple(sorted(each.text for each in idea.words if each.language == "en")))
        for idea in EVERYDAY_IDEAS
        for word in assamese_of(idea)
    ]
    assert repeated(meanings) == []
