import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from abhidhan.domain.editions import (
    CitedEdition,
    as_bibtex,
    as_cff,
    as_licences,
    beyond,
    is_edition,
    next_name,
)
from abhidhan.domain.licences import spdx_name
from abhidhan.domain.records import SourceRecord

MADE = 1_795_392_000  # 2026-11-23
ADDRESS = "https://abhidhan.example.org/downloads/2026-11-23"
HOSTILE = SourceRecord("x", 'Words: "ours" #1\nlicense: MIT}', "All {rights} \\ reserved", url="javascript:alert(1)")
OURS = SourceRecord("a", "Abhidhan starter dictionary", "Apache-2.0", attribution="The Abhidhan contributors")


def edition(*sources: SourceRecord) -> CitedEdition:
    return CitedEdition("2026-11-23-2", "2026-11-23", ADDRESS, sources)


def test_an_edition_is_named_after_its_day_and_the_next_of_that_day_has_a_number_never_given_before() -> None:
    assert next_name(MADE, ()) == "2026-11-23"
    assert next_name(MADE, ("2026-11-22", "2026-11-23")) == "2026-11-23-2"
    assert next_name(MADE, ("2026-11-23-2", "2026-11-23-11")) == "2026-11-23-12"


@pytest.mark.parametrize("name", ["", "..", "2026-11-23/..", "2026-11-23-1a", "2026-11-23\n", "২০২৬-১১-২৩", ".new-1"])
def test_nothing_else_is_the_name_of_an_edition(name: str) -> None:
    assert not is_edition(name)


def test_the_oldest_editions_are_the_ones_that_go() -> None:
    known = ("2026-11-23-10", "2026-11-22", "2026-11-23-9", "2026-11-23")

    assert beyond(known, 2) == ["2026-11-22", "2026-11-23"]
    assert beyond(known, 0) == ["2026-11-22", "2026-11-23", "2026-11-23-9", "2026-11-23-10"]
    assert beyond(known, 12) == []


def test_a_citation_file_is_yaml_whatever_the_sources_are_called() -> None:
    read = yaml.safe_load(as_cff(edition(OURS, HOSTILE)))

    assert (read["cff-version"], read["type"], read["version"]) == ("1.2.0", "dataset", "2026-11-23-2")
    assert (read["date-released"], read["url"]) == ("2026-11-23", ADDRESS)
    assert [one["title"] for one in read["references"]] == [OURS.name, 'Words: "ours" #1 license: MIT}']
    assert "url" not in read["references"][1]
    assert "license" not in read


def test_the_licence_of_all_sources_is_told_where_it_is_one() -> None:
    assert yaml.safe_load(as_cff(edition(OURS)))["license"] == "Apache-2.0"
    assert spdx_name("CC BY-SA 4.0") == "CC-BY-SA-4.0"
    assert spdx_name("CC0") == "CC0-1.0"
    assert spdx_name("ask me\nlicense: MIT") is None


def test_nothing_in_the_name_of_a_source_ends_a_field_of_bibtex() -> None:
    written = as_bibtex(edition(OURS, HOSTILE))

    assert written.startswith("@misc{abhidhan-2026-11-23-2,\n")
    assert f"  url = {{{ADDRESS}}},\n" in written
    assert "Apache-2.0" in written
    plain = written.replace("\\{", "").replace("\\}", "").replace("\\textbackslash{}", "")
    assert plain.count("{") == plain.count("}")
    assert len(written.splitlines()) == len(("entry", "title", "author", "publisher", "version", "}")) + 4


def test_the_licences_name_each_source_with_its_terms_on_a_line_of_its_own() -> None:
    told = as_licences(edition(SourceRecord("w", "Words", "CC BY 4.0", attribution="Somebody"), HOSTILE))

    assert "Words\nCC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)\nSomebody\n" in told
    assert "\nlicense: MIT" not in told
