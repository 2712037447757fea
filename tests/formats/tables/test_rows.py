"""Rows of CSV and TSV files: quotes that are not closed, cells of several lines, more cells than columns."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.formula_injection import escape_formula, unescape_formula
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.text_decoding import MAX_CELL_LINES, CellRow, read_rows
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError
from tests.support.importing import SOURCE, ideas, read, words

TABLE = ImportOptions(source=SOURCE)


def rows(text: str) -> list[CellRow | RecordError]:
    """Read the rows of a text."""
    return list(read_rows(ContentStream("a.csv", io.BytesIO(text.encode()))))


def cells(text: str) -> list[list[str]]:
    """Read the cells of a text in which nothing is wrong."""
    found = rows(text)
    assert [one for one in found if isinstance(one, RecordError)] == []
    return [one.cells for one in found if isinstance(one, CellRow)]


def faults(text: str) -> list[tuple[int, str]]:
    """Read what is wrong in a text: lines, and sentences."""
    return [(one.line, one.detail) for one in rows(text) if isinstance(one, RecordError)]


def lines(text: str) -> list[int]:
    """Read on which lines the rows begin that are right."""
    return [one.number for one in rows(text) if isinstance(one, CellRow)]


MISPLACED_QUOTES = ['"fish,মাছ', 'fish,"মাছ', '"fish",মাছ"', 'fish,"মাছ" ', '"fish" or so,মাছ', 'fish,"a""']


def test_a_misplaced_quote_costs_only_its_own_row(subtests: pytest.Subtests) -> None:
    for line in MISPLACED_QUOTES:
        with subtests.test(line):
            text = "\n".join(["en,as", *["water,পানী"] * 3, line, *["bird,চৰাই"] * 495]) + "\n"
            reported = faults(text)

            assert len(lines(text)) + len(reported) == 500
            assert [number for number, _ in reported] in ([5], [])
            assert reported or line == '"fish",মাছ"'


def test_an_unclosed_quote_is_reported_with_the_line_where_it_opened_and_costs_only_that_row() -> None:
    text = "en,as\n" + 'fish,"মাছ\n' + "bird,চৰাই\n" * 498

    assert faults(text) == [
        (
            2,
            (
                f"The quote that opens a cell on line 2 is not closed by line {MAX_CELL_LINES + 1}. Close it, or "
                'leave the quotes out; a quote within a cell in quotes is written twice ("").'
            ),
        )
    ]
    assert lines(text) == [1, *range(3, 501)]

    text = 'en,as\n"fish,মাছ\nbird,চৰাই\nwater,"পানী"\nsea,সাগৰ\n'

    ((line, said),) = faults(text)
    assert line == 2
    assert "on line 2 is not closed there, and the next quote, on line 4, does not end a cell" in said
    assert cells(text.replace('"fish', "fish"))[1:] == [
        ["fish", "মাছ"],
        ["bird", "চৰাই"],
        ["water", "পানী"],
        ["sea", "সাগৰ"],
    ]
    assert lines(text) == [1, 3, 4, 5]

    text = 'en,as,note\nfish,"মাছ,\nbird,চৰাই,5"\nsea,সাগৰ,\n'

    ((line, said),) = faults(text)
    assert (line, "2 cells where the first row has 3" in said) == (2, True)
    assert lines(text) == [1, 3, 4]


def test_cells_may_span_lines_and_rows_may_end_in_any_way() -> None:
    text = 'en,definition,as\nfish,"It swims.\n\nIt said ""no"", twice.",মাছ\nbird,"a\r\nb",চৰাই\n'

    assert cells(text)[1:] == [["fish", 'It swims.\n\nIt said "no", twice.', "মাছ"], ["bird", "a\nb", "চৰাই"]]
    assert lines(text) == [1, 2, 5]

    assert cells("en,as\rfish,মাছ\r\nbird,চৰাই\nsea,সাগৰ") == [
        ["en", "as"],
        ["fish", "মাছ"],
        ["bird", "চৰাই"],
        ["sea", "সাগৰ"],
    ]

    assert cells('as\ten\nমাছ\t"a\nb"\n')[1] == ["মাছ", "a\nb"]

    assert cells('"Word, with, all, its, commas";as\nfish;মাছ\n')[1] == ["fish", "মাছ"]


QUOTES_BETWEEN_TABS: list[tuple[str, list[str]]] = [
    ('5" disk\t"', ['5" disk', '"']),
    ('"কথা\tHe said', ['"কথা', "He said"]),
    ('"কথা\tHe said"', ['"কথা', 'He said"']),
    ('"কথা" বুলি\t"He" said', ['"কথা" বুলি', '"He" said']),
    ('"কথা"\t"a ""b"""', ["কথা", 'a "b"']),
    ('"a\tb"\tc', ["a\tb", "c"]),
]


def test_quotes_in_a_tab_separated_table_are_letters_unless_they_enclose_a_cell() -> None:
    for line, expected in QUOTES_BETWEEN_TABS:
        assert cells(f'as\ten\n{line}\nbird\t"x\n') == [["as", "en"], expected, ["bird", '"x']], line


def test_a_row_with_too_many_cells_is_reported_and_one_with_fewer_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, "csv", {"a.csv": "en,as,note\nfish,মাছ, a, b\nbird\nsea,সাগৰ,,,,\n"}, TABLE)

    assert [str(one) for one in found if isinstance(one, RecordError)] == [
        (
            "a.csv:2: The row has 4 cells, but the first row names 3 columns. Put cells that contain the separator "
            "in quotes, and name every column in the first row."
        )
    ]
    kept = [words(one.record) for one in found[1:] if isinstance(one, LocatedRecord)]  # type: ignore[arg-type]
    assert kept == [[("en", "bird")], [("en", "sea"), ("as", "সাগৰ")]]


UNREADABLE_FIRST_ROWS = [("csv", '"en,as\nfish,মাছ\n'), ("proverbs", '"text","meaning" x\nক,a\n')]


def test_an_unreadable_first_row_is_rejected(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, text in UNREADABLE_FIRST_ROWS:
        with (
            subtests.test(name),
            pytest.raises(InputError, match=r"The first row must name the columns, but cannot be read\. a\.csv:1: "),
        ):
            read(tmp_path, name, {"a.csv": text})


def test_all_columns_of_a_language_are_read_and_a_too_long_word_is_reported(tmp_path: Path) -> None:
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": "en,as,as,Assamese\nfish,মাছ,মীন,মৎস্য\n"}, TABLE))

    assert words(idea) == [("en", "fish"), ("as", "মাছ"), ("as", "মীন"), ("as", "মৎস্য")]

    found = read(tmp_path, "csv", {"a.csv": f"en,as\nfish,মাছ|{'ক' * 201}\n"}, TABLE)

    assert [one.detail for one in found if isinstance(one, RecordError)] == ["A word is longer than 200 letters."]


def test_many_unclosed_quotes_are_reported_separately_and_quickly() -> None:
    def repeated() -> Iterator[bytes]:
        yield b"en,as\n"
        for _ in range(20_000):
            yield b'fish,"""x\n'

    found = rows(b"".join(repeated()).decode())

    assert sum(isinstance(one, RecordError) for one in found) == 20_000


texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\0", exclude_categories=["Cs"]) | st.sampled_from("'=+-@\t\n\"ক")
)


@given(texts)
def test_formulas_are_escaped_for_spreadsheets_and_restored(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert not escape_formula(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@given(st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1, max_size=5))
@example([["", "\n"]])
@example([["", " "]])
def test_csv_round_trips(table: list[list[str]]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["a", "b"], *([escape_formula(cell) for cell in row] for row in table)])

    found = cells(stream.getvalue())

    # A row is blank if it is so as it was written: a line end goes out behind an apostrophe.
    kept = [row for row in table if any(escape_formula(cell).strip() for cell in row)]
    assert [[unescape_formula(cell) for cell in row] for row in found[1:]] == kept


def test_suffixes_and_apostrophes_keep_their_form() -> None:
    for word in ["-বোৰ", "'-বোৰ", "'ng", "''", "+1", "=SUM(A1)", "@home", "''=x", "'"]:
        assert unescape_formula(escape_formula(word)) == word
