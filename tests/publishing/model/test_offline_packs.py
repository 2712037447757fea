from itertools import pairwise

from abhidhan.publishing.model.offline_packs import (
    MAX_CHUNK_ENTRIES,
    MAX_DEFINITION_LENGTH,
    EntryKind,
    PackEntry,
    PackGloss,
    PackMeaning,
    build_chunk,
    build_proverb_sense,
    build_sense,
    parse_pair,
    split_into_chunks,
)
from abhidhan.records.ideas import Definition
from abhidhan.records.local_texts import LocalText

ASSAMESE, ENGLISH, HINDI = 2, 1, 21


def entry(number: int) -> PackEntry:
    return PackEntry(number, "পানী", "pa.ni", "পানী", "পানী", "pani", 0, ((0, ("water",)),))


def borders(numbers: range) -> list[int]:
    return [some[-1].id for some in split_into_chunks(map(entry, numbers))]


def test_added_and_removed_words_change_only_their_own_chunk() -> None:
    before = borders(range(1, 40_000))
    after = [
        some[-1].id for some in split_into_chunks(entry(each) for each in range(1, 40_000) if each not in {17, 5000})
    ]

    assert after == before
    assert max(later - earlier for earlier, later in pairwise(before)) <= MAX_CHUNK_ENTRIES
    assert 12 < len(before) < 30


def test_chunks_have_similar_sizes_for_every_distance_between_ids() -> None:
    for step in (1, 2, 3, 12, 100, 381):
        sizes = [len(chunk) for chunk in split_into_chunks(map(entry, range(1, 40_000 * step, step)))]

        assert max(sizes) <= MAX_CHUNK_ENTRIES, step
        assert 8 < len(sizes) < 40, step


def test_a_chunk_has_steps_between_ids_and_no_key_twice() -> None:
    words = [entry(5), PackEntry(9, "Śabda", "", "śabda", "sabda", "sabda", 31, ())]

    assert build_chunk(EntryKind.WORD, words) == build_chunk(EntryKind.WORD, words).__class__(
        EntryKind.WORD,
        id=(5, 4),
        word=("পানী", "Śabda"),
        roman=("pa.ni", ""),
        exact=("", "śabda"),
        loose=("", "sabda"),
        sound=("pani", ""),
        common=(0, 31),
        senses=(((0, ("water",)),), ()),
    )


def test_only_two_different_languages_are_a_pair() -> None:
    for name in ("", "as", "as-as", "as-en-hi", "AS-en", "../en", "as_en", "assamese-en"):
        assert parse_pair(name) is None, name


def test_a_sense_has_the_usual_word_first_and_the_definition_of_the_other_language() -> None:
    meaning = PackMeaning(
        None,
        (
            PackGloss(9, "water", ENGLISH),
            PackGloss(3, "liquid", ENGLISH),
            PackGloss(1, "জল", ASSAMESE),
            PackGloss(2, "पानी", HINDI),
        ),
        (Definition(ASSAMESE, "খোৱা বস্তু"), Definition(ENGLISH, "what is drunk")),
        None,
    )

    assert build_sense(meaning, ASSAMESE, ENGLISH) == (0, ("water", "liquid"), "what is drunk")
    assert build_sense(meaning, ASSAMESE, HINDI) == (0, ("पानी",), "", "খোৱা বস্তু")
    assert build_sense(PackMeaning(None, (PackGloss(1, "জল", ASSAMESE),), (), "CC0-1.0"), ASSAMESE, ENGLISH) is None


def test_a_long_definition_is_cut_between_words() -> None:
    meaning = PackMeaning(None, (), (Definition(ENGLISH, "words " * 50),), "CC0-1.0")

    sense = build_sense(meaning, ASSAMESE, ENGLISH)
    assert sense is not None
    _, _, said, _, licence = sense
    assert str(said).endswith(" words…")
    assert len(str(said)) <= MAX_DEFINITION_LENGTH + 1
    assert licence == "CC0-1.0"


def test_a_proverb_has_its_meaning_in_the_target_language_and_a_licence_if_there_is_one() -> None:
    meanings = [LocalText(HINDI, "हिन्दी"), LocalText(ENGLISH, "no use"), LocalText(ASSAMESE, "লাভ নাই")]

    assert build_proverb_sense(meanings, "CC0-1.0", ASSAMESE, ENGLISH) == (0, (), "no use", "", "CC0-1.0")
    assert build_proverb_sense(meanings, None, ASSAMESE, HINDI) == (0, (), "हिन्दी")
    assert build_proverb_sense(meanings[2:], None, ASSAMESE, ENGLISH) == (0, (), "", "লাভ নাই")
