"""Parts of speech of the shipped dictionary, and which of its words are counted, are those of the readings."""

import csv
from collections import defaultdict
from pathlib import Path

from assamese.inflected_forms import find_word_kinds
from assamese.paradigms import Headword
from tests.data.test_starter import IDEAS, ITEMS, reference, words

READINGS = Path(__file__).parents[2] / "tools" / "readings"
PLURALS = Path(__file__).parent / "plurals_5af1802.txt"
"""The Assamese words that had plural forms when "Common Noun" alone gave a word any."""

CLASSES = {item.value: item.code for item in ITEMS if item.list == "POS"}
NUMBERS = {item.value: item.id for item in ITEMS if item.list == "POS"}
LAST_OF_THE_STARTER = 15
"""Parts of speech from 16 on are for imports."""


def rows(name: str) -> list[dict[str, str]]:
    with (READINGS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


READ = {row["key"]: row for name in ("parts_of_speech.tsv", "parts_of_speech_others.tsv") for row in rows(name)}


def words_with_plurals() -> set[str]:
    """List the Assamese words whose tables have a plural."""
    parts, countable, named = defaultdict(set), {}, set()
    for idea, word in words("as"):
        if idea.pos is not None:
            parts[word.text].add((idea.pos, CLASSES[idea.pos]))
        if word.countable is not None:
            countable[word.text] = word.countable
        if word.plural:
            named.add(word.text)
    heads = (Headword(text, find_word_kinds(parts[text]), countable=countable.get(text)) for text in parts)
    return named | {head.text for head in heads if head.has_usual_plurals}


def test_every_idea_has_the_part_of_speech_of_its_reading() -> None:
    ideas = {reference(idea): idea for idea in IDEAS}
    assert {key: ideas[key].pos for key in READ if key in ideas and ideas[key].pos != READ[key]["pos"]} == {}


def test_only_readings_make_a_word_qualify_adjectives() -> None:
    ideas = {reference(idea) for idea in IDEAS if idea.pos == "Adjective Adjective"}
    assert ideas <= {key for key, row in READ.items() if row["pos"] == "Adjective Adjective"}


def test_the_parts_of_speech_of_imports_are_not_in_the_starter() -> None:
    assert [reference(idea) for idea in IDEAS if idea.pos and NUMBERS[idea.pos] > LAST_OF_THE_STARTER] == []


def test_no_word_loses_its_plurals_unless_a_reading_says_so() -> None:
    before, there = set(PLURALS.read_text("utf-8").split("\n")) - {""}, {word.text for _, word in words("as")}
    lost = {row["word"] for row in rows("lost_plurals.tsv") if row["reason"]}

    assert (before & there) - words_with_plurals() == lost & there


def test_a_word_is_uncountable_only_if_every_sense_is_a_mass() -> None:
    not_counted = {word.text for _, word in words("as") if word.countable is False}
    masses = {key for key, row in READ.items() if row["countable"] == "false"}
    others = {
        (word.text, reference(idea))
        for idea, word in words("as")
        if word.text in not_counted and idea.pos != "Material Noun" and reference(idea) not in masses
    }
    assert others == set()
