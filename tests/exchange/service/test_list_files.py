"""Lists of words as CSV."""

import csv
import io

from abhidhan.exchange.service.list_files import CSV_COLUMNS, ListRow, encode_csv
from abhidhan.formats.formula_injection import unescape_formula


def test_no_cell_is_a_formula_and_each_has_one_way_back() -> None:
    row = ListRow(7, "=HYPERLINK(1)", "en", "-বোৰ", '+a "quoted", cell', "as")

    header, cells = csv.reader(io.StringIO(encode_csv([row]).decode("utf-8-sig")))

    assert tuple(header) == CSV_COLUMNS
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert [unescape_formula(cell) for cell in cells] == [str(each) for each in row]
