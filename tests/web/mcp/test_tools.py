"""What an assistant can ask, without the protocol round it."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.domain.briefs import LONGEST_TEXT, MOST_MEANINGS, MOST_TRANSLATIONS, brief_word
from abhidhan.domain.ideas import Definition, IdeaWord
from abhidhan.domain.words import Meaning, Word
from abhidhan.errors import InputError
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.web.answers import written
from abhidhan.web.mcp.tools import MOST_FOUND, TOOLS
from tests.support.databases import Databases, opened, with_sample

Call = Callable[..., Any]

LARGEST_ANSWER = 256 * 1024


@pytest.fixture(scope="module")
def call(databases: Databases) -> Iterator[Call]:
    """Call a tool over the sample, on each engine; what it answers, as JSON."""
    with opened(databases, with_sample) as database, asyncio.Runner() as runner:
        dictionary = Dictionary(database)

        def call_tool(name: str, **arguments: object) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
            answer = written(runner.run(TOOLS[name].call(dictionary, arguments)))
            assert len(answer) < LARGEST_ANSWER
            return msgspec.json.decode(answer)

        yield call_tool


def test_words_are_looked_up_in_any_script(call: Call) -> None:
    [found] = call("look_up", text="পানী")["found"]
    assert (found["match"], found["entries"][0]["word"], found["entries"][0]["language"]) == ("exact", "পানী", "as")
    assert found["entries"][0]["meanings"][0]["translations"]["en"] == ["water"]

    [roman] = call("look_up", text="xobdo")["found"]
    assert (roman["match"], roman["entries"][0]["word"]) == ("phonetic", "শব্দ")


def test_a_word_never_found_has_suggestions_instead(call: Call) -> None:
    found = {item["text"]: item for item in call("look_up", text="qqzzx pani")["found"]}

    assert found["qqzzx"] == {"text": "qqzzx", "match": "none"}
    assert found["pani"]["entries"]


def test_meanings_are_told_in_the_languages_that_are_asked_for(call: Call) -> None:
    [meaning, *_] = call("look_up", text="পানী", langs="hi")["found"][0]["entries"][0]["meanings"]

    assert set(meaning["translations"]) == {"hi"}
    assert not set(meaning.get("definitions", {})) - {"hi"}


def test_of_very_many_words_an_answer_holds_some(call: Call) -> None:
    found = call("look_up", text="mon pani hat mas gos phul ghor", langs="0")["found"]

    assert sum(len(item.get("entries", ())) for item in found) <= MOST_FOUND


def test_words_are_searched_in_every_way(call: Call) -> None:
    words = call("search", text="wate", limit=3)["words"]

    assert 0 < len(words) <= 3
    assert "water" in {word["word"] for word in words}


def test_a_text_is_written_in_the_other_script(call: Call) -> None:
    assert call("transliterate", text="xobdo")["output"] == "শব্দ"
    assert call("transliterate", text="শব্দ")["output"] == "xob.do"
    assert call("transliterate", text="শব্দ", scheme="iso15919")["output"] == "śabda"


def test_proverbs_are_found_by_a_saying_and_by_a_word(call: Call) -> None:
    [similar, *_] = call("proverb", text="নগই গড়গাওঁৰ বতৰা কয়")["similar"]
    assert similar["similarity"] > 0.8

    word = similar["phrase"].split()[0]
    found = call("proverb", text=word)
    assert similar["id"] in {each["id"] for each in (*found["similar"], *found["with_these_words"])}


def test_the_word_of_the_day_is_that_of_everybody(call: Call) -> None:
    today = call("today")

    assert today["word"]["word"]
    assert today == call("today")


@pytest.mark.parametrize(
    ("name", "arguments", "parameter"),
    [
        ("look_up", {}, "text"),
        ("look_up", {"text": ""}, "text"),
        ("look_up", {"text": " "}, "text"),
        ("look_up", {"text": "a\x00"}, "text"),
        ("look_up", {"text": "a" * 201}, "text"),
        ("look_up", {"text": 5}, "text"),
        ("look_up", {"text": None}, "text"),
        ("look_up", {"text": "a", "language": "klingon"}, "language"),
        ("look_up", {"text": "a", "langs": "as,klingon"}, "langs"),
        ("look_up", {"text": "a", "password": "x"}, "password"),
        ("search", {"text": "a", "limit": 0}, "limit"),
        ("search", {"text": "a", "limit": 21}, "limit"),
        ("search", {"text": "a", "limit": "many"}, "limit"),
        ("transliterate", {"text": "a", "direction": "up"}, "direction"),
        ("transliterate", {"text": "a" * 501}, "pa"),
        ("proverb", {"text": "a" * 501}, "text"),
        ("today", {"langs": "klingon"}, "langs"),
    ],
)
def test_what_cannot_be_used_is_told(call: Call, name: str, arguments: dict[str, object], parameter: str) -> None:
    with pytest.raises(InputError) as refused:
        call(name, **arguments)

    assert refused.value.problems[0].parameter == parameter


@given(st.sampled_from(sorted(TOOLS)), st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.floats()))
def test_arguments_of_any_kind_are_answered_or_refused(name: str, arguments: dict[str, object]) -> None:
    tool = TOOLS[name]
    try:
        msgspec.convert(arguments, tool.takes)
    except msgspec.ValidationError:
        with pytest.raises(InputError):
            asyncio.run(tool.call(None, arguments))  # type: ignore[arg-type]  # refused before anything is read


def test_every_tool_says_what_it_takes() -> None:
    for name, tool in TOOLS.items():
        schema = tool.schema()
        assert (schema["type"], schema["additionalProperties"], tool.name) == ("object", False, name)
        assert all(each.get("description") or "$ref" in str(each) for each in schema["properties"].values())


def test_a_long_word_is_told_in_brief() -> None:
    translations = tuple(IdeaWord(number, f"word{number}", 1, "English", None, None) for number in range(100))
    meaning = Meaning(1, 2, None, None, (), (Definition(1, "x" * 5000),), translations, (), (), (), None, None)
    known: dict[str, Any] = dict.fromkeys(Word.__struct_fields__) | {
        "id": 1,
        "word": "w",
        "language_id": 1,
        "meanings": (meaning,) * 50,
    }
    word = Word(**known)

    brief = brief_word(word, {1: "en"})

    assert (len(brief.meanings), brief.more_meanings) == (MOST_MEANINGS, 50 - MOST_MEANINGS)
    assert len(brief.meanings[0].translations["en"]) == MOST_TRANSLATIONS
    assert len(brief.meanings[0].definitions["en"]) == LONGEST_TEXT
    assert brief.meanings[0].definitions["en"].endswith("…")
