from abhidhan.formats.error_reports import ErrorReportRow, iter_report_rows
from abhidhan.records.errors import Problem
from abhidhan.records.import_records import RecordError


def test_the_first_sentence_says_what_is_wrong_and_the_others_what_would_be_right() -> None:
    (row,) = iter_report_rows(RecordError("a.csv", 3, "A quote is not closed. Close it, or leave it out."))

    assert row == ErrorReportRow("a.csv", 3, "", "A quote is not closed.", "Close it, or leave it out.")


def test_what_is_quoted_ends_no_sentence() -> None:
    (row,) = iter_report_rows(RecordError("a.csv", 3, "There is no language 'Is it. No' (BCP 47). Use its code."))

    assert (row.problem, row.remedy) == ("There is no language 'Is it. No' (BCP 47).", "Use its code.")


def test_each_field_that_is_wrong_is_a_row() -> None:
    problems = (Problem("pos", "There is no 'x' in the list POS."), Problem("words", "`words` must be short."))
    rows = list(iter_report_rows(RecordError("a.csv", 3, "both", problems)))

    assert [(row.column, row.problem) for row in rows] == [(one.parameter, one.detail) for one in problems]
