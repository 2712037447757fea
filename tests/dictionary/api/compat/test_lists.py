from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]

COUNTS = {"LANG": 34, "VRT": 22, "POS": 22, "GEN": 4, "RIC": 17, "FJCAT": 12}


def test_each_fixed_list_is_complete(api: Ask) -> None:
    assert {name: api("/api/get-list.php", {"type": name}).json["count"] for name in COUNTS} == COUNTS


def test_a_language_has_its_code_name_script_and_direction(api: Ask) -> None:
    assert api("/api/get-list.php", {"type": "LANG"}).json["data"][1] == {
        "id": 2,
        "value": "Assamese",
        "code": "as",
        "native_name": "অসমীয়া",
        "script": "Beng",
        "direction": "ltr",
    }


def test_contexts_are_a_tree_with_one_root(api: Ask) -> None:
    contexts = api("/api/get-list.php", {"type": "CTX"}).json["data"]
    ids = {entry["id"] for entry in contexts}

    assert [entry["value"] for entry in contexts if entry["parent_id"] is None] == ["All"]
    assert all(entry["parent_id"] in ids for entry in contexts if entry["parent_id"] is not None)


def test_a_part_of_speech_has_its_code_and_its_major_class(api: Ask) -> None:
    answer = api("/api/get-list.php", {"type": "POS"}).json

    assert answer["count"] == 22
    assert answer["data"][2] == {"id": 3, "value": "Material Noun", "code": "N.mat", "major": "Noun"}
    assert answer["data"][-1] == {"id": 22, "value": "Unassigned", "code": "U", "major": "Others"}
