import yaml  # type: ignore[import-untyped]  # it has no types

from abhidhan.publishing.model.dataset_citation import Dataset, format_cff, format_licences
from abhidhan.records.kinds import SourceRecord
from abhidhan.records.sources import spdx_identifier

ADDRESS = "https://abhidhan.example.org/downloads"
HOSTILE = SourceRecord("x", 'Words: "ours" #1\nlicense: MIT}', "All {rights} \\ reserved", url="javascript:alert(1)")
OURS = SourceRecord("a", "Abhidhan starter dictionary", "Apache-2.0", attribution="The Abhidhan contributors")


def dataset(*sources: SourceRecord) -> Dataset:
    return Dataset("2026-11-23", "2026-11-23.57", ADDRESS, sources)


def test_a_citation_file_is_yaml_whatever_the_sources_are_called() -> None:
    read = yaml.safe_load(format_cff(dataset(OURS, HOSTILE)))

    assert (read["cff-version"], read["type"], read["version"]) == ("1.2.0", "dataset", "2026-11-23.57")
    assert (read["date-released"], read["url"]) == ("2026-11-23", ADDRESS)
    assert [one["title"] for one in read["references"]] == [OURS.name, 'Words: "ours" #1 license: MIT}']
    assert "url" not in read["references"][1]
    assert "license" not in read


def test_a_licence_common_to_all_sources_is_stated() -> None:
    assert yaml.safe_load(format_cff(dataset(OURS)))["license"] == "Apache-2.0"
    assert spdx_identifier("CC BY-SA 4.0") == "CC-BY-SA-4.0"
    assert spdx_identifier("CC0") == "CC0-1.0"
    assert spdx_identifier("ask me\nlicense: MIT") is None


def test_the_licences_name_each_source_with_its_terms_on_a_line_of_its_own() -> None:
    told = format_licences(dataset(SourceRecord("w", "Words", "CC BY 4.0", attribution="Somebody"), HOSTILE))

    assert "Words\nCC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)\nSomebody\n" in told
    assert "\nlicense: MIT" not in told
