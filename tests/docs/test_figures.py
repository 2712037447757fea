"""Numbers in documents are those of the program: the contents of the starter, and how attempts are slowed down."""

import re
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.records import throttling
from abhidhan.records.kinds import CardSetRecord, IdeaRecord, LanguageRecord, ListItemRecord, PhraseRecord, Record

ROOT: Final = Path(__file__).parents[2]
DATA: Final = resources.files("abhidhan.data")
DECODER: Final = msgspec.json.Decoder(Record)


def records(name: str) -> list[Record]:
    """Read a file of the starter."""
    return [DECODER.decode(line) for line in DATA.joinpath(f"{name}.jsonl").read_text("utf-8").splitlines()]


def ideas(name: str) -> list[IdeaRecord]:
    """Read the ideas of a file of the starter."""
    return [record for record in records(name) if isinstance(record, IdeaRecord)]


def find_row(document: str, first: str) -> str:
    """Find the row of a table by what it begins with."""
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(f"| {first} |")]
    return row


def figures(text: str) -> list[int]:
    """List the whole numbers of a text."""
    return [int(each.replace(",", "")) for each in re.findall(r"(?<![\w.])\d[\d,]*(?![\w.]*\d)", text)]


def cell(document: str, first: str) -> str:
    """Return the second cell of a row."""
    return find_row(document, first).split("|")[2].strip()


STARTER: Final = "docs/starter-dictionary.md"

BYTES_OF_A_ROW: Final = 8
"""A checksum and a band."""


def test_the_table_of_the_starter_counts_the_contents_of_its_files() -> None:
    kinds = Counter(idea.key.partition("-")[0].partition(":")[0] for idea in ideas("ideas_cldr"))
    abhidhan, everyday = ideas("ideas_abhidhan"), ideas("ideas_everyday")
    lists = Counter(record.list for record in records("lists") if isinstance(record, ListItemRecord))
    sets = [[each for each in records(name) if isinstance(each, CardSetRecord)] for name in ("cards", "cards_everyday")]
    cards = "; ".join(f"{sum(len(each.cards) for each in some):,} in {len(some)} sets" for some in sets)

    assert cell(STARTER, "Languages") == str(sum(isinstance(each, LanguageRecord) for each in records("languages")))
    assert dict(re.findall(r"(\w+) (\d+)", cell(STARTER, "Lists"))) == {name: str(n) for name, n in lists.items()}
    assert sorted(figures(cell(STARTER, "Things, languages, countries, cities"))) == sorted(
        [kinds.total(), *kinds.values()]
    )
    assert figures(cell(STARTER, "Everyday ideas")) == [len(abhidhan), *examples_and_relations(abhidhan)]
    assert figures(cell(STARTER, "High-frequency words")) == [
        len(everyday),
        sum(word.language == "as" for idea in everyday for word in idea.words),
        *examples_and_relations(everyday),
    ]
    sayings = [each for each in records("phrases") if isinstance(each, PhraseRecord)]
    assert figures(cell(STARTER, "Proverbs and idioms")) == [len(sayings)]
    assert cell(STARTER, "Flashcards") == cards


def examples_and_relations(some: list[IdeaRecord]) -> list[int]:
    """Count the examples and the relations of ideas."""
    return [sum(len(idea.examples) for idea in some), sum(len(idea.relations) for idea in some)]


def test_the_readme_rounds_the_contents_of_the_starter() -> None:
    every = [idea for name in ("ideas_cldr", "ideas_abhidhan", "ideas_everyday") for idea in ideas(name)]
    words = {(word.language, word.text) for idea in every for word in idea.words}
    assamese = sum(language == "as" for language, _ in words)

    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert figures(cell("docs/operating.md", "the starter dictionary")) == [len(words)]
    sentence = f"holds {len(every):,} ideas with {round(len(words), -2):,} words in Assamese ({round(assamese, -2):,})"
    assert sentence in readme


def test_tables_of_the_program_have_as_many_rows_as_documents_say() -> None:
    tables = resources.files("assamese.tables")
    rows = {name: len((tables / f"{name}.bin").read_bytes()) // BYTES_OF_A_ROW for name in ("word_pairs", "frequency")}
    card, decision = (
        (ROOT / "docs" / name).read_text(encoding="utf-8")
        for name in ("model-card.md", "decisions/0038-frequency-by-checksums.md")
    )

    assert f"{rows['word_pairs']:,} pairs, checksums" in card
    assert f"eight bytes for each of {rows['frequency']:,} Assamese spellings" in decision


UNITS: Final = (("day", 86_400), ("h", 3_600), ("min", 60), ("s", 1))

SLOWED: Final = {
    "one account from one address": throttling.SIGN_IN_BY_ACCOUNT_AND_ADDRESS,
    "any account from one address": throttling.SIGN_IN_BY_ADDRESS,
    "one account from anywhere": throttling.SIGN_IN_BY_ACCOUNT,
    "accounts created without an invitation, or invitations that do not work, from one address": (
        throttling.SIGN_UP_BY_ADDRESS
    ),
    "accounts created without an invitation, from all addresses together": throttling.SIGN_UP_ANYWHERE,
    "reset links for one account, or from one address": throttling.RESET_REQUEST,
    "mails that ask for an address to be confirmed, from one address": throttling.CONFIRMATION_FROM_ONE_ADDRESS,
    "passwords set by links, from one address": throttling.PASSWORD_RESET_BY_ADDRESS,
    "passwords set by one link": throttling.RESET_BY_LINK,
    "codes of one account from one address": throttling.CODE_FROM_ONE_ADDRESS,
    "codes of one account from anywhere": throttling.CODE_BY_ACCOUNT,
}


def format_duration(seconds: int) -> str:
    """Write a number of seconds as the documents do."""
    name, size = next(unit for unit in UNITS if seconds % unit[1] == 0)
    return f"{seconds // size} {name}"


def test_the_documents_say_how_attempts_are_slowed_down() -> None:
    for what, rule in SLOWED.items():
        wait = f"{format_duration(rule.first_delay_seconds)}, doubling"
        longest, reset = format_duration(rule.max_delay_seconds), format_duration(rule.reset_after_seconds)

        assert find_row("docs/accounts.md", what) == f"| {what} | {rule.free_attempts} | {wait} | {longest} | {reset} |"
