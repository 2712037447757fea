"""The English and Assamese messages use one word for one thing (locale/as/glossary.toml)."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[3] / "src/abhidhan/platform/http/locale/as"
TERMS = tomllib.loads((LOCALE / "glossary.toml").read_text(encoding="utf-8"))["term"]
DIGITS = re.compile(r"(?<![\w.,%(/&+_-])[0-9]+(?= ?(?:MB\b|টা|খন|ৰ পৰা|মেগা|ছেকেণ্ড|বিট|বাইট))")
"""Latin digits of a number with a unit or classifier."""
PLACEHOLDER = re.compile(r"%\(\w+\)s")
NUMBERS = "টা|টি|খন|জন|বাৰ|ৰ পৰা|লৈ|তকৈ|ৰ ভিতৰ"
"""Classifiers and endings of numbers, which may follow a placeholder directly."""


def read_messages() -> list[tuple[str, str]]:
    with (LOCALE / "LC_MESSAGES/messages.po").open("rb") as file:
        catalogue = read_po(file, locale="as")
    pairs = []
    for message in catalogue:
        english, assamese = (
            text if isinstance(text, str) else "\n".join(text or ()) for text in (message.id, message.string)
        )
        if english:
            pairs.append((english, assamese))
    return pairs


MESSAGES = read_messages()


def compile_words(forms: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)


def find_other_translations(term: dict[str, Any]) -> list[tuple[str, str]]:
    """List the messages that have a term in English and none of its translations."""
    has_term = compile_words(term["english"])
    excepted = set(term.get("except", ()))
    return [
        (english, assamese)
        for english, assamese in MESSAGES
        if has_term.search(english) and english not in excepted
        if not any(word in assamese for word in term["assamese"])
    ]


def find_other_words(term: dict[str, Any]) -> list[tuple[str, str]]:
    """List the messages that use a word that is not to be used for a term."""
    other_english = compile_words(term.get("english_not", ["\0"]))
    excepted = set(term.get("except", ()))
    return [
        (english, assamese)
        for english, assamese in MESSAGES
        if english not in excepted
        if other_english.search(PLACEHOLDER.sub("", english))
        or any(word in assamese for word in term.get("assamese_not", ()))
    ]


def test_each_term_has_one_translation_and_no_synonym(subtests: pytest.Subtests) -> None:
    assert TERMS
    for term in TERMS:
        with subtests.test(term["english"][0]):
            assert find_other_translations(term) == []
            assert find_other_words(term) == []


def test_no_exception_is_superfluous() -> None:
    messages = {english for english, _ in MESSAGES}
    assert {text for term in TERMS for text in term.get("except", ())} <= messages


def test_assamese_endings_are_not_attached_to_names() -> None:
    glued = re.compile(rf"%\(\w+\)s(?!{NUMBERS})[\u0980-\u09fb]")
    assert [assamese for _, assamese in MESSAGES if glued.search(assamese)] == []


def test_numbers_in_assamese_messages_have_assamese_digits() -> None:
    assert [assamese for _, assamese in MESSAGES if DIGITS.search(assamese)] == []


def test_classifiers_are_joined_to_numbers() -> None:
    parted = re.compile(r"(?:%\(\w+\)s|[০-৯]) (?:টা|টি|খন|জন|বাৰ)(?![\u0980-\u09ff])")
    assert [assamese for _, assamese in MESSAGES if parted.search(assamese)] == []
