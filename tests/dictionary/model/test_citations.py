"""Citations of an entry, in formats that other programs read."""

import msgspec

from abhidhan.dictionary.model.citations import Citation, format_bibtex, format_csl, format_ris, format_text

WATER = Citation(
    sense_id=12,
    headword="পানী",
    language="Assamese",
    code="as",
    gloss="water",
    address="https://dictionary.example/sense/12?version=34",
    version=34,
    changed="2026-11-20",
    accessed="2026-11-23",
    contributors=("anil", "bina"),
    source="Abhidhan starter dictionary",
    licence="Apache-2.0",
)
HOSTILE = msgspec.structs.replace(
    WATER, headword="50% {x}\\input{a} #1_$", gloss="a\r\nER  - \r\nTY  - DICT", contributors=()
)


def test_a_citation_in_text_names_the_entry_its_version_and_its_address() -> None:
    assert format_text(WATER) == (
        "“পানী” (Assamese: water). In: Abhidhan. anil, bina. Version 34, 2026-11-20. "
        "Source: Abhidhan starter dictionary; Apache-2.0. "
        "https://dictionary.example/sense/12?version=34 (accessed 2026-11-23)."
    )


def test_bibtex_has_each_field_and_escapes_commands() -> None:
    written, hostile = format_bibtex(WATER), format_bibtex(HOSTILE)

    assert written.startswith("@incollection{abhidhan-12-34,\n  title = {{পানী}},\n")
    assert "author = {{anil} and {bina}}" in written
    assert "url = {https://dictionary.example/sense/12?version=34}" in written
    assert r"title = {{50\% \{x\}\textbackslash{}input\{a\} \#1\_\$}}" in hostile
    assert "author = {{The Abhidhan contributors}}" in hostile


def test_ris_is_one_entry_even_with_line_breaks_in_a_field() -> None:
    lines = format_ris(HOSTILE).split("\r\n")

    assert [line[:6] for line in lines].count("TY  - ") == 1
    assert lines[0] == "TY  - DICT"
    assert lines[-2:] == ["ER  - ", ""]
    assert "DA  - 2026/11/20/" in lines
    assert "LA  - as" in lines


def test_csl_is_json_with_dates_in_parts() -> None:
    [item] = msgspec.json.decode(format_csl(WATER))

    assert item["type"] == "entry-dictionary"
    assert item["title"] == "পানী"
    assert item["issued"] == {"date-parts": [[2026, 11, 20]]}
    assert item["author"] == [{"literal": "anil"}, {"literal": "bina"}]
    assert item["version"] == "34"


def test_only_the_first_of_many_contributors_are_named() -> None:
    many = msgspec.structs.replace(WATER, contributors=tuple(f"person{number}" for number in range(9)))

    assert many.authors == (*(f"person{number}" for number in range(6)), "The Abhidhan contributors")
