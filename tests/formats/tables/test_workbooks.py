"""Workbooks that would take all memory, or are none: rejected in a sentence before they are opened."""

import struct
import zipfile
from pathlib import Path

import pytest
from xlsxwriter import Workbook

from abhidhan.formats.content_streams import DamagedFileError
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.tables import workbooks
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError
from tests.support.importing import SOURCE, ideas, read, words

TABLE = ImportOptions(source=SOURCE)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(rows: str, shared: str = "") -> dict[str, str]:
    """Write the files of a workbook with one sheet of these rows, and these shared texts."""
    document = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{document}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>'
        '<sheet name="Words" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
    } | ({"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared}</sst>'} if shared else {})


def ods(rows: str) -> dict[str, str]:
    """Write the files of a workbook of OpenDocument with one sheet of these rows."""
    return {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f'<m:manifest xmlns:m="{OASIS}:manifest:1.0"/>',
        "content.xml": f'<office:document-content xmlns:office="{OASIS}:office:1.0" xmlns:table="{OASIS}:table:1.0" '
        f'xmlns:text="{OASIS}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">{rows}'
        "</table:table></office:spreadsheet></office:body></office:document-content>",
    }


def pack(folder: Path, name: str, files: dict[str, str]) -> Path:
    """Pack files into a workbook."""
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return folder / name


def cell(place: str, text: str) -> str:
    """Write a cell of .xlsx."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def repeat_cell(text: str, times: int = 1) -> str:
    """Write a cell of .ods, or an empty one, so many times."""
    kind = ' office:value-type="string"' if text else ""
    inner = f"<text:p>{text}</text:p>" if text else ""
    return f'<table:table-cell{kind} table:number-columns-repeated="{times}">{inner}</table:table-cell>'


ROWS = f"<row>{cell('A1', 'en')}{cell('B1', 'as')}</row><row>{cell('A2', 'fish')}{cell('B2', 'মাছ')}</row>"
FAR = f'{ROWS}<row r="1048576">{cell("XFD1048576", "x")}</row>'
EMPTY_FAR = f'{ROWS}<row r="1048576"><c r="XFD1048576" s="0"/></row>'
ODS_ROWS = "".join(
    f"<table:table-row>{repeat_cell(one)}{repeat_cell(other)}{repeat_cell('', 16382)}</table:table-row>"
    for one, other in (("en", "as"), ("fish", "মাছ"))
)
ODS_EMPTY = f'<table:table-row table:number-rows-repeated="1048573">{repeat_cell("", 16384)}</table:table-row>'
ODS_FAR = f"{ODS_ROWS}{ODS_EMPTY}<table:table-row>{repeat_cell('', 16383)}{repeat_cell('x')}</table:table-row>"
ODS_BOMB = (
    f'{ODS_ROWS}<table:table-row table:number-rows-repeated="1000000">{repeat_cell("x", 99999)}</table:table-row>'
)


def test_a_cell_far_from_the_table_is_rejected_with_its_position(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, files in (("a.xlsx", xlsx(FAR)), ("a.ods", ods(ODS_FAR))):
        with subtests.test(name):
            folder = tmp_path / name[2:]
            folder.mkdir()
            pack(folder, name, files)
            with pytest.raises(DamagedFileError) as caught:
                read(folder, "csv", {}, TABLE)

            assert (
                f"{name} has a sheet that extends to the cell XFD1048576: that is 17,179,869,184 cells, of which 5 are"
                in (str(caught.value))
            )


def test_empty_formatted_cells_far_from_the_table_are_ignored(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, files in (("a.xlsx", xlsx(EMPTY_FAR)), ("a.ods", ods(ODS_ROWS + ODS_EMPTY))):
        with subtests.test(name):
            folder = tmp_path / name[2:]
            folder.mkdir()
            pack(folder, name, files)

            assert [words(idea) for idea in ideas(read(folder, "csv", {}, TABLE))] == [[("en", "fish"), ("as", "মাছ")]]


def test_a_row_repeated_millions_of_times_is_rejected(tmp_path: Path) -> None:
    pack(tmp_path, "a.ods", ods(ODS_BOMB))
    with pytest.raises(DamagedFileError, match=r"a sheet of more than 30,000,000 cells"):
        read(tmp_path, "csv", {}, TABLE)


def test_a_long_text_shared_by_many_cells_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_SHEET_CHARACTERS", 100_000)
    shared = f"<si><t>{'x' * 1000}</t></si>"
    rows = "".join(f'<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' for _ in range(60))  # noqa: F541
    pack(tmp_path, "a.xlsx", xlsx(rows, shared))
    with pytest.raises(DamagedFileError, match=r"100,000 letters"):
        read(tmp_path, "csv", {}, TABLE)


def test_a_workbook_that_is_a_decompression_bomb_is_rejected_even_with_a_false_size(tmp_path: Path) -> None:
    file = pack(tmp_path, "a.xlsx", xlsx(ROWS + " " * 70_000_000))
    raw = file.read_bytes()
    true = struct.pack("<I", len(xlsx(ROWS + " " * 70_000_000)["xl/worksheets/sheet1.xml"].encode()))
    file.write_bytes(raw.replace(true, struct.pack("<I", 1000)))
    with pytest.raises(DamagedFileError, match="300 times its size"):
        read(tmp_path, "csv", {}, TABLE)


def test_entities_in_a_workbook_are_rejected(tmp_path: Path) -> None:
    files = xlsx(ROWS)
    files["xl/worksheets/sheet1.xml"] = '<!DOCTYPE x [<!ENTITY a "b">]>' + files["xl/worksheets/sheet1.xml"]
    pack(tmp_path, "a.xlsx", files)
    with pytest.raises(DamagedFileError, match="XML bomb"):
        read(tmp_path, "csv", {}, TABLE)


NOT_WORKBOOKS = [
    ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(600), "in the old format"),
    ("a.xlsx", b"\xd0\xcf\x11\xe0" + bytes(600), "protected with a password"),
    ("a.xlsx", b"en,as\n", "damaged or not a workbook"),
    ("a.xlsx", b"", "damaged or not a workbook"),
    ("a.ods", b"PK\x03\x04" + bytes(60), "damaged or not a workbook"),
]


def test_a_file_that_is_not_a_workbook_is_rejected(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, content, message) in enumerate(NOT_WORKBOOKS):
        with subtests.test(f"{number} {message}"), pytest.raises(InputError, match=message):
            read(tmp_path / str(number), "csv", {name: content}, TABLE)


def test_a_broken_sheet_is_reported_in_sentences(tmp_path: Path, subtests: pytest.Subtests) -> None:
    # The last one is a sheet without rows.
    for sheet, count in (("<worksheet", 1), ("<worksheet><sheetData><row><c r='ZZZZ9'>", 1), ("", 1), ("<x/>", 0)):
        with subtests.test(sheet):
            pack(tmp_path, "a.xlsx", xlsx(ROWS) | {"xl/worksheets/sheet1.xml": sheet})
            try:
                messages = [str(one) for one in read(tmp_path, "csv", {}, TABLE)[1:]]
            except InputError as error:
                messages = [str(error)]
            assert len(messages) == count
            assert all(one.endswith(".") and "Placed" not in one for one in messages)


def test_a_cell_beside_the_table_costs_only_its_row_and_is_reported(tmp_path: Path) -> None:
    with Workbook(str(tmp_path / "a.xlsx")) as workbook:
        sheet = workbook.add_worksheet()
        for place, row in enumerate([["en", "as"], ["fish", "মাছ"], ["bird", "চৰাই", "", "mine"]]):
            sheet.write_row(place, 0, row)
    found = read(tmp_path, "csv", {}, TABLE)

    assert [one.line for one in found if isinstance(one, RecordError)] == [3]
    assert [one.line for one in found if isinstance(one, LocatedRecord)] == [0, 2]


def test_a_panic_of_the_reader_is_a_sentence(tmp_path: Path) -> None:
    class PanicException(BaseException):  # the name that pyo3 gives it
        pass

    from abhidhan.formats.tables.rows import convert_workbook_errors  # noqa: PLC0415  # beside its only use

    with (
        pytest.raises(DamagedFileError, match="damaged or not a workbook"),
        convert_workbook_errors(str(tmp_path / "a.xlsx")),
    ):
        raise PanicException("capacity overflow")
