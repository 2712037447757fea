from collections.abc import Callable

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


def test_the_scheme_can_be_chosen(api: Ask) -> None:
    for scheme, output in (("iso15919", "ṣaṣṭha"), ("plain", "xostho")):
        answer = api("/api/tlipi.php", {"pa": "ষষ্ঠ", "scheme": scheme}).json

        assert (answer["scheme"], answer["output"]) == (scheme, output)
