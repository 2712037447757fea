from abhidhan.formats.error_reports import ErrorReportRow, iter_report_rows
from abhidhan.records.errors import Problem
from abhidhan.records.import_records import RecordError


def test_the_first_sentence_is_the_problem_and_the_rest_the_remedy() -> None:
    (row,) = iter_report_rows(RecordError("a.csv", 3, "A quote is not closed. Close it, or leave it out."))

    assert row == ErrorReportRow("a.csv", 3, "", "A quote is not closed.", "Close it, or leave it out.")

    (row,) = iter_report_rows(RecordError("a.csv", 3, "There is no language 'Is it. No' (BCP 47). Use its code."))

    assert (row.problem, row.remedy) == ("There is no language 'Is it. No' (BCP 47).", "Use its code.")


def test_each_wrong_field_is_a_row() -> None:
    problems = (Problem("pos", "There is no 'x' in the list POS."), Problem("words", "`words` must be short."))
    rows = list(iter_report_rows(RecordError("a.csv", 3, "both", problems)))

    assert [(row.column, row.problem) for row in rows] == [(one.parameter, one.detail) for one in problems]
