"""Workbooks that would take all memory, or are none: told in a sentence before they are opened."""

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


def packed(folder: Path, name: str, files: dict[str, str]) -> Path:
    """Pack files into a workbook."""
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return folder / name


def cell(place: str, text: str) -> str:
    """Write a cell of .xlsx."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def repeated(text: str, times: int = 1) -> str:
    """Write a cell of .ods, or an empty one, so many times."""
    kind = ' office:value-type="string"' if text else ""
    inner = f"<text:p>{text}</text:p>" if text else ""
    return f'<table:table-cell{kind} table:number-columns-repeated="{times}">{inner}</table:table-cell>'


ROWS = f"<row>{cell('A1', 'en')}{cell('B1', 'as')}</row><row>{cell('A2', 'fish')}{cell('B2', 'মাছ')}</row>"
FAR = f'{ROWS}<row r="1048576">{cell("XFD1048576", "x")}</row>'
EMPTY_FAR = f'{ROWS}<row r="1048576"><c r="XFD1048576" s="0"/></row>'
ODS_ROWS = "".join(
    f"<table:table-row>{repeated(one)}{repeated(other)}{repeated('', 16382)}</table:table-row>"
    for one, other in (("en", "as"), ("fish", "মাছ"))
)
ODS_EMPTY = f'<table:table-row table:number-rows-repeated="1048573">{repeated("", 16384)}</table:table-row>'
ODS_FAR = f"{ODS_ROWS}{ODS_EMPTY}<table:table-row>{repeated('', 16383)}{repeated('x')}</table:table-row>"
ODS_BOMB = f'{ODS_ROWS}<table:table-row table:number-rows-repeated="1000000">{repeated("x", 99999)}</table:table-row>'


@pytest.mark.parametrize(("name", "files"), [("a.xlsx", xlsx(FAR)), ("a.ods", ods(ODS_FAR))])
def test_a_cell_far_away_from_the_table_is_told_with_its_place(
    tmp_path: Path, name: str, files: dict[str, str]
) -> None:
    packed(tmp_path, name, files)
    with pytest.raises(DamagedFileError) as caught:
        read(tmp_path, "csv", {}, TABLE)

    assert f"{name} has a sheet that extends to the cell XFD1048576: that is 17,179,869,184 cells, of which 5 are" in (
        str(caught.value)
    )


@pytest.mark.parametrize(("name", "files"), [("a.xlsx", xlsx(EMPTY_FAR)), ("a.ods", ods(ODS_ROWS + ODS_EMPTY))])
def test_cells_far_away_that_are_only_coloured_do_not_matter(tmp_path: Path, name: str, files: dict[str, str]) -> None:
    packed(tmp_path, name, files)

    assert [words(idea) for idea in ideas(read(tmp_path, "csv", {}, TABLE))] == [[("en", "fish"), ("as", "মাছ")]]


def test_a_row_that_is_repeated_without_end_is_told(tmp_path: Path) -> None:
    packed(tmp_path, "a.ods", ods(ODS_BOMB))
    with pytest.raises(DamagedFileError, match=r"a sheet of more than 30,000,000 cells"):
        read(tmp_path, "csv", {}, TABLE)


def test_one_long_text_that_stands_in_very_many_cells_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_SHEET_CHARACTERS", 100_000)
    shared = f"<si><t>{'x' * 1000}</t></si>"
    rows = "".join(f'<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' for _ in range(60))  # noqa: F541
    packed(tmp_path, "a.xlsx", xlsx(rows, shared))
    with pytest.raises(DamagedFileError, match=r"100,000 letters"):
        read(tmp_path, "csv", {}, TABLE)


def test_a_workbook_that_blows_itself_up_is_told_even_where_it_lies_about_its_size(tmp_path: Path) -> None:
    file = packed(tmp_path, "a.xlsx", xlsx(ROWS + " " * 70_000_000))
    raw = file.read_bytes()
    true = struct.pack("<I", len(xlsx(ROWS + " " * 70_000_000)["xl/worksheets/sheet1.xml"].encode()))
    file.write_bytes(raw.replace(true, struct.pack("<I", 1000)))
    with pytest.raises(DamagedFileError, match="300 times its size"):
        read(tmp_path, "csv", {}, TABLE)


def test_entities_in_a_workbook_are_refused(tmp_path: Path) -> None:
    files = xlsx(ROWS)
    files["xl/worksheets/sheet1.xml"] = '<!DOCTYPE x [<!ENTITY a "b">]>' + files["xl/worksheets/sheet1.xml"]
    packed(tmp_path, "a.xlsx", files)
    with pytest.raises(DamagedFileError, match="XML bomb"):
        read(tmp_path, "csv", {}, TABLE)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(600), "in the old format"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0" + bytes(600), "protected with a password"),
        ("a.xlsx", b"en,as\n", "damaged or not a workbook"),
        ("a.xlsx", b"", "damaged or not a workbook"),
        ("a.ods", b"PK\x03\x04" + bytes(60), "damaged or not a workbook"),
    ],
)
def test_what_is_no_workbook_is_told(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read(tmp_path, "csv", {name: content}, TABLE)


@pytest.mark.parametrize("sheet", ["<worksheet", "<worksheet><sheetData><row><c r='ZZZZ9'>", "", "<x/>"])
def test_a_workbook_with_a_broken_sheet_is_told(tmp_path: Path, sheet: str) -> None:
    packed(tmp_path, "a.xlsx", xlsx(ROWS) | {"xl/worksheets/sheet1.xml": sheet})
    try:
        said = [str(one) for one in read(tmp_path, "csv", {}, TABLE)[1:]]
    except InputError as error:
        said = [str(error)]
    assert all(one.endswith(".") and "Placed" not in one for one in said)


def test_a_cell_beside_the_table_costs_its_row_and_is_told(tmp_path: Path) -> None:
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
