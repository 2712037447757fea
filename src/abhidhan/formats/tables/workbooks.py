"""Checks of workbooks before they are opened: the extent of their sheets, and their uncompressed size.

The workbook library allocates the full rectangle between a sheet's first and last cell, even if most cells are empty: a
single cell at XFD1048576 means 17 billion cells. So the cells are first counted by a streaming XML parser.
"""

import re
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, NamedTuple
from xml.parsers import expat

from abhidhan.formats.content_streams import CHUNK_SIZE, DamagedFileError
from abhidhan.formats.decompression import MAX_ARCHIVE_MEMBERS, guard_stream
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import UnstoredValue

PICTURE_FOLDERS: Final = ("xl/media/", "pictures/")
"""Folders of a workbook with its pictures, in lower case."""

_RELATIONS_FOLDER: Final = "_rels/"


class Span(NamedTuple):
    """Vertically merged cells: the column, the first and the last row, counted from 0."""

    column: int
    first_row: int
    last_row: int


class WorkbookExtras:
    """Collector of a workbook's content outside the texts of cells."""

    def __init__(self) -> None:
        """Initialise without content."""
        self._items: list[tuple[int, str, str]] = []
        self._links: list[tuple[int, str, str]] = []
        self._targets: dict[tuple[str, str], str] = {}
        self.spans: list[list[Span]] = []
        """Merged cells of each sheet of an .ods file."""

    def add_file(self, member: str) -> None:
        """Add a file if it is a picture."""
        if member.lower().startswith(PICTURE_FOLDERS) and not member.endswith("/"):
            self._items.append((0, "picture", member))

    def add_text(self, row: int, field: str, value: str) -> None:
        """Add a text of a row that is not in a cell."""
        if value.strip():
            self._items.append((row, field, value.strip()))

    def add_link(self, sheet: str, row: int, relation: str) -> None:
        """Add a link in a cell, whose URL is in the relations of its sheet."""
        self._links.append((row, sheet, relation))

    def add_target(self, relations: str, relation: str, address: str) -> None:
        """Add a URL from the relations of a sheet."""
        self._targets[relations.replace(_RELATIONS_FOLDER, "").removesuffix(".rels"), relation] = address

    def iter_losses(self, file: str) -> Iterator[UnstoredValue]:
        """Yield a loss for each item, since no record contains any."""
        links = ((row, "link", self._targets.get((sheet, name), "")) for row, sheet, name in self._links)
        for row, field, value in (*self._items, *links):
            if value:
                yield UnstoredValue(file, row, field, value)


if TYPE_CHECKING:
    from collections.abc import Callable

MAX_SHEET_CELLS: Final = 30_000_000
"""Maximum number of cells in a sheet: a million rows of thirty. Each takes 24 bytes."""

SMALL_SHEET_CELLS: Final = 1_000_000
"""Number of cells up to which a sheet may be mostly empty."""

MAX_EMPTY_RATIO: Final = 50
"""Maximum ratio of the extent of a larger sheet to its non-empty cells."""

MAX_SHEET_CHARACTERS: Final = 500_000_000
"""Maximum number of characters in a sheet; millions of cells may refer to one shared text."""

_COMPOUND_FILE_SIGNATURE: Final = b"\xd0\xcf\x11\xe0"
"""Signature of compound files: .xls, and workbooks with a password."""

_XML_STARTS: Final = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\n", b"\r", b" ", b"\t")
"""Possible first bytes of XML."""

_BINARY_WORKBOOK_FILE: Final = "xl/workbook.bin"
"""Member that only .xlsb workbooks have, whatever their extension."""

_CELL_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_UNKNOWN_LENGTH: Final = 2**62
_SAVE_AS: Final = "If a spreadsheet program can open it, save it there as CSV."


def check_workbook(stream: IO[bytes], name: str) -> WorkbookExtras:
    """Check a workbook and rewind it; return its content outside the texts of cells.

    Raises DamagedFileError if it cannot be opened.
    """
    extras = WorkbookExtras()
    if stream.read(4) == _COMPOUND_FILE_SIGNATURE:
        raise DamagedFileError.of(
            "file",
            f"{name} is a workbook in the old format (.xls), or protected with a password: it is not read. Open it "
            "in a spreadsheet program, and save it as .xlsx or CSV without a password.",
        )
    try:
        with zipfile.ZipFile(stream) as archive:
            members = sorted(archive.infolist(), key=lambda one: "sharedstrings" not in one.filename.lower())
            if len(members) > MAX_ARCHIVE_MEMBERS:
                raise DamagedFileError.of(
                    "file", f"{name} contains more than {MAX_ARCHIVE_MEMBERS:,} files: it is not read."
                )
            if any(member.filename.lower() == _BINARY_WORKBOOK_FILE for member in members):
                raise DamagedFileError.of("file", f"{name} is a binary workbook (.xlsb): save it as .xlsx or CSV.")
            lengths: array[int] = array("L")
            for member in members:
                extras.add_file(member.filename)
                _scan_member(archive, member, _XMLScanner(name, lengths, extras, member.filename))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, expat.ExpatError) as error:
        raise workbook_error(name, error) from error
    stream.seek(0)
    return extras


def workbook_error(name: str, error: BaseException) -> InputError:
    """Return the error for a workbook that cannot be read."""
    return DamagedFileError.of(
        "file", f"{name} is damaged or not a workbook ({error}): nothing of it is used. {_SAVE_AS}"
    )


def _scan_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, scanner: "_XMLScanner") -> None:
    # The size stated in the archive may be false, so the file is read to the end of its compressed data.
    member.file_size = _UNKNOWN_LENGTH
    with (
        archive.open(member) as opened,
        guard_stream(opened, f"{scanner.name}/{member.filename}", member.compress_size) as file,
    ):
        is_xml = file.peek(4).startswith(_XML_STARTS)
        while chunk := file.read(min(CHUNK_SIZE, 65_536)):
            if is_xml and scanner.is_relevant:
                scanner.feed(chunk)


class _XMLScanner:
    """Counter of one XML file's content: a sheet of .xlsx, its shared texts, or the sheets of .ods.

    Content outside the texts of cells goes to `extras`.
    """

    def __init__(self, name: str, shared_lengths: "array[int]", extras: WorkbookExtras, member: str) -> None:
        self.name = name
        self.is_relevant = True
        self._shared_lengths = shared_lengths
        self._extras = extras
        self._member = member
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start_root
        self._parser.StartDoctypeDeclHandler = self._reject_doctype
        self._end_handlers: dict[str, Callable[[], None]] = {}
        self._start_handlers: dict[str, Callable[[dict[str, str]], None]] = {}
        self._reset()

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes."""
        self._parser.Parse(chunk)

    def _reset(self) -> None:
        """Reset the counts for a new sheet."""
        self._row = self._column = self._last_row = self._last_column = self._filled_cells = self._letter_count = 0
        self._row_repeats = self._column_repeats = 1
        self._is_shared = self._is_error = False
        self._formula, self._formula_row = "", 0
        self._text: list[str] | None = None
        self._annotation_start = 0

    def _reject_doctype(self, *_: object) -> None:
        raise DamagedFileError.of("file", f"{self.name} declares a document type, like an XML bomb: it is not read.")

    def _start_root(self, name: str, attributes: dict[str, str]) -> None:
        """Select the handlers by the root element."""
        root = name.rpartition(":")[2]
        if root == "worksheet":
            self._start_handlers = {
                "row": self._start_row,
                "c": self._start_cell,
                "v": self._start_text,
                "is": self._start_text,
            }
            self._start_handlers |= {"f": self._start_text, "hyperlink": self._start_link}
            self._end_handlers = {"v": self._end_value, "is": self._end_value, "worksheet": self._end_sheet}
            self._end_handlers["f"] = self._end_formula
        elif root == "comments":
            self._start_handlers = {"comment": self._start_comment, "text": self._start_text}
            self._end_handlers = {"text": lambda: self._extras.add_text(self._row, "comment", self._pop_text())}
        elif root == "Relationships":
            self._start_handlers = {"Relationship": self._start_relation}
        elif root == "sst":
            self._start_handlers = {"si": self._start_text}
            self._end_handlers = {"si": self._end_shared_text}
        elif root == "document-content":
            cell, of_row = self._start_repeated_cell, self._start_repeated_row
            self._start_handlers = {"table": self._start_table, "table-row": of_row, "table-cell": cell}
            self._start_handlers["covered-table-cell"] = cell
            self._end_handlers = {"table-cell": self._end_repeated_cell, "covered-table-cell": self._end_repeated_cell}
            self._end_handlers["table"] = self._end_sheet
            self._start_handlers |= {"annotation": self._start_annotation, "a": self._start_linked_text}
            self._end_handlers["annotation"] = self._end_annotation
        else:
            self.is_relevant = False
            return
        self._parser.StartElementHandler = self._start_element
        self._parser.EndElementHandler = self._end_element
        self._parser.CharacterDataHandler = self._add_characters
        self._start_element(name, attributes)

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        handler = self._start_handlers.get(name) or (
            self._start_handlers.get(name.rpartition(":")[2]) if ":" in name else None
        )
        if handler is not None:
            handler(attributes)

    def _end_element(self, name: str) -> None:
        handler = self._end_handlers.get(name) or (
            self._end_handlers.get(name.rpartition(":")[2]) if ":" in name else None
        )
        if handler is not None:
            handler()

    def _add_characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _start_text(self, _: dict[str, str]) -> None:
        self._text = []

    def _pop_text(self) -> str:
        text, self._text = "".join(self._text or ()), None
        return text

    def _end_shared_text(self) -> None:
        self._shared_lengths.append(len(self._pop_text()))

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._row = _parse_number(attributes.get("r"), self._row + 1)
        self._column = 0

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._report_formula()
        self._column += 1
        self._is_shared, self._is_error = attributes.get("t") == "s", attributes.get("t") == "e"
        if match := _CELL_REFERENCE.fullmatch(attributes.get("r", "")):
            self._row, self._column = int(match[2]), _parse_column(match[1])

    def _end_value(self) -> None:
        text = self._pop_text()
        letters = len(text)
        self._formula = "" if text else self._formula
        if self._is_error:
            self._extras.add_text(self._row, "error in place of a value", text)
        if self._is_shared:
            with suppress(ValueError, IndexError):
                letters = self._shared_lengths[int(text)]
        self._count_cells(self._row, self._column, 1, letters)

    def _end_formula(self) -> None:
        self._formula, self._formula_row = self._pop_text(), self._row

    def _report_formula(self) -> None:
        """Report a formula without a stored value: the program that wrote the file did not compute it."""
        self._extras.add_text(self._formula_row, "formula without a value", self._formula)
        self._formula = ""

    def _start_comment(self, attributes: dict[str, str]) -> None:
        self._row = _parse_row(attributes)

    def _start_link(self, attributes: dict[str, str]) -> None:
        relation = next((value for name, value in attributes.items() if name.endswith(":id")), "")
        self._extras.add_link(self._member, _parse_row(attributes), relation)
        self._extras.add_text(_parse_row(attributes), "link", attributes.get("location", ""))

    def _start_relation(self, attributes: dict[str, str]) -> None:
        if attributes.get("TargetMode") == "External":
            self._extras.add_target(self._member, attributes.get("Id", ""), attributes.get("Target", ""))

    def _start_annotation(self, _: dict[str, str]) -> None:
        self._annotation_start = len(self._text or ())

    def _end_annotation(self) -> None:
        text, self._text = self._text or [], (self._text or [])[: self._annotation_start]
        self._extras.add_text(self._row, "comment", "".join(text[self._annotation_start :]))

    def _start_linked_text(self, attributes: dict[str, str]) -> None:
        address = next((value for name, value in attributes.items() if name.endswith(":href")), "")
        self._extras.add_text(self._row, "link", address)

    def _start_table(self, _: dict[str, str]) -> None:
        self._reset()
        self._extras.spans.append([])

    def _start_repeated_row(self, attributes: dict[str, str]) -> None:
        self._row += self._row_repeats if self._row else 1
        self._row_repeats = _repeat_count(attributes, "number-rows-repeated")
        self._column = 0

    def _start_repeated_cell(self, attributes: dict[str, str]) -> None:
        self._column_repeats = _repeat_count(attributes, "number-columns-repeated")
        rows = _repeat_count(attributes, "number-rows-spanned")
        if rows > 1 and self._extras.spans:
            self._extras.spans[-1].append(Span(self._column, self._row - 1, self._row - 2 + rows))
        self._text = [attributes.get("office:value", "")]

    def _end_repeated_cell(self) -> None:
        text = self._pop_text()
        self._column += self._column_repeats
        if text.strip():
            self._count_cells(
                self._row + self._row_repeats - 1, self._column, self._column_repeats * self._row_repeats, len(text)
            )

    def _count_cells(self, row: int, column: int, cells: int, letters: int) -> None:
        """Count cells up to a position. Raises DamagedFileError as soon as a limit is exceeded."""
        self._filled_cells += cells
        self._letter_count += cells * letters
        self._last_row, self._last_column = max(row, self._last_row), max(column, self._last_column)
        if self._filled_cells > MAX_SHEET_CELLS or self._letter_count > MAX_SHEET_CHARACTERS:
            raise DamagedFileError.of(
                "file",
                f"{self.name} has a sheet of more than {MAX_SHEET_CELLS:,} cells or {MAX_SHEET_CHARACTERS:,} letters: "
                "it is not read. Save the sheet as CSV.",
            )

    def _end_sheet(self) -> None:
        """Raise DamagedFileError if the sheet is too large for its content."""
        self._report_formula()
        extent = self._last_row * self._last_column
        if extent > MAX_SHEET_CELLS or extent > max(SMALL_SHEET_CELLS, self._filled_cells * MAX_EMPTY_RATIO):
            raise DamagedFileError.of(
                "file",
                f"{self.name} has a sheet that extends to the cell "
                f"{_format_column(self._last_column)}{self._last_row}: that is {extent:,} cells, of which "
                f"{self._filled_cells:,} are filled. Delete the cells far away from the table, save, and import again; "
                "or save the sheet as CSV.",
            )


def _parse_row(attributes: dict[str, str]) -> int:
    """Return the row of the cell, or of the first cell in a range, to which an element refers."""
    match = _CELL_REFERENCE.match(attributes.get("ref", ""))
    return int(match[2]) if match else 0


def _parse_number(digits: str | None, default: int) -> int:
    return int(digits) if digits and _DIGITS.fullmatch(digits) else default


def _repeat_count(attributes: dict[str, str], attribute: str) -> int:
    """Return a repeat count; an invalid or excessive number counts as the maximum."""
    count = next((value for name, value in attributes.items() if name.rpartition(":")[2] == attribute), "1")
    return max(_parse_number(count, MAX_SHEET_CELLS), 1)


def _parse_column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _format_column(number: int) -> str:
    name = ""
    while number > 0:
        number, index = divmod(number - 1, 26)
        name = chr(ord("A") + index) + name
    return name
