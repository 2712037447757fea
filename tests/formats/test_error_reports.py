from abhidhan.formats.error_reports import FaultRow, rows_of
from abhidhan.records.errors import Problem
from abhidhan.records.import_records import RecordError


def test_the_first_sentence_says_what_is_wrong_and_the_others_what_would_be_right() -> None:
    (row,) = rows_of(RecordError("a.csv", 3, "A quote is not closed. Close it, or leave it out."))

    assert row == FaultRow("a.csv", 3, "", "A quote is not closed.", "Close it, or leave it out.")


def test_what_is_quoted_ends_no_sentence() -> None:
    (row,) = rows_of(RecordError("a.csv", 3, "There is no language 'Is it. No' (BCP 47). Use its code."))

    assert (row.what, row.remedy) == ("There is no language 'Is it. No' (BCP 47).", "Use its code.")


def test_each_field_that_is_wrong_is_a_row() -> None:
    problems = (Problem("pos", "There is no 'x' in the list POS."), Problem("words", "`words` must be short."))
    rows = list(rows_of(RecordError("a.csv", 3, "both", problems)))

    assert [(row.column, row.what) for row in rows] == [(one.parameter, one.detail) for one in problems]
