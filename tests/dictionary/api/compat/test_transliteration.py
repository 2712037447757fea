from collections.abc import Callable

import pytest

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_assamese_is_written_in_roman_letters(api: Ask) -> None:
    assert api("/api/tlipi.php", {"pa": "শব্দ"}).json == {
        "success": True,
        "input": "শব্দ",
        "output": "xob.do",
        "direction": "assamese-to-roman",
        "scheme": "xobdo",
        "alternatives": [],
    }


@pytest.mark.parametrize(
    ("scheme", "output"),
    [("iso15919", "ṣaṣṭha ৷"), ("plain", "xostho")],
)
def test_the_scheme_can_be_chosen(api: Ask, scheme: str, output: str) -> None:
    made = api("/api/tlipi.php", {"pa": "ষষ্ঠ", "scheme": scheme}).json

    assert made["scheme"] == scheme
    assert made["output"] == output.removesuffix(" ৷")


def test_roman_letters_are_read_by_the_dictionary(api: Ask) -> None:
    answer = api("/api/tlipi.php", {"pa": "xobdo, 123."}).json

    assert (answer["output"], answer["direction"]) == ("শব্দ, 123.", "roman-to-assamese")
    (alternatives,) = answer["alternatives"]
    assert alternatives["word"] == "xobdo"
    assert "শব্দ" not in alternatives["candidates"]
    assert 1 <= len(alternatives["candidates"]) <= 5


def test_words_already_in_assamese_pass_through(api: Ask) -> None:
    assert api("/api/tlipi.php", {"pa": "মোৰ xobdo", "to": "assamese"}).json["output"] == "মোৰ শব্দ"


def test_line_ends_are_kept(api: Ask) -> None:
    answer = api("/api/tlipi.php", {"pa": "পানী\nমাছ"}).json

    assert (answer["input"], answer["output"]) == ("পানী\nমাছ", "pa.ni\nmas")


@pytest.mark.parametrize(
    ("parameters", "wrong"),
    [
        ({}, "pa"),
        ({"pa": "ক" * 5001}, "pa"),
        ({"pa": "a" * 501}, "pa"),
        ({"pa": "a", "to": "greek"}, "to"),
        ({"pa": "a", "scheme": "mine"}, "scheme"),
    ],
)
def test_a_wrong_parameter_is_named(api: Ask, parameters: dict[str, str], wrong: str) -> None:
    answered = api("/api/tlipi.php", parameters)

    assert (answered.status, answered.json["errors"][0]["parameter"]) == (400, wrong)


def test_five_thousand_letters_are_written_in_roman(api: Ask) -> None:
    assert api("/api/tlipi.php", {"pa": "ক" * 5000}).status == 200
