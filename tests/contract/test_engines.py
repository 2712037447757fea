"""SQLite and PostgreSQL give the same answers, byte by byte."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

import pytest

from abhidhan.platform.database.database import Database
from tests.support.application import Ask, open_application

TEXTS: Final = (
    "পানী",
    "পানি",
    "ৰঙা পানী",
    "শব্দ",
    "অসমীয়া",
    "অসমীয়া",
    "ক’লা",
    "কলা",
    "ক্ষ",
    "ক",
    "খাওঁ",
    "সূৰ্য্য",
    "water",
    "WATER",
    "Wataer",
    "went",
    "pani",
    "xobdo",
    "hati",
    "elepjant",
    "पानी",
    "A·chik",
    "'",
    "%",
    "_",
    "\\",
    "a\u200db",
    "\ufffe\U0010ffff",
)
"""Words in each script, with slips, marks, and what means something to SQL."""

Question = tuple[str, dict[str, object]]


def question(path: str, **parameters: object) -> Question:
    """Write down a question."""
    return path, parameters


QUESTIONS: Final[tuple[Question, ...]] = (
    *(
        question(path, **{name: text})
        for text in TEXTS
        for path, name in (
            ("/api/dic.php", "w"),
            ("/api/wordsalpha.php", "start"),
            ("/api/words", "search"),
            ("/api/search", "q"),
            ("/api/suggest", "q"),
            ("/api/phrases", "q"),
            ("/api/ideas", "context"),
            ("/api/check-fj.php", "fj"),
            ("/api/tlipi.php", "pa"),
        )
    ),
    ("/api/dic.php", {"w": "পানী", "l": "bn"}),
    ("/api/wordsalpha.php", {"start": "ক", "end": "খ", "lim": 1000}),
    ("/api/wordsalpha.php", {"start": "a", "l": "en", "p": 1}),
    ("/api/wordsalpha.php", {"start": "হ", "lim": 2}),
    ("/api/wordsalpha.php", {"start": "क", "l": "hi", "lim": 3}),
    ("/api/words_recent.php", {}),
    ("/api/words_recent.php", {"limit": 1000, "l": "as"}),
    ("/api/check-fj.php", {"fj": "নগই গড়গাওঁৰ বতৰা কয়", "limit": 100}),
    ("/api/check-fj.php", {"fj": "hati", "language": "en"}),
    ("/api/dic.php", {"w": "গৰম পানী xobdo", "fields": "word"}),
    ("/api/dic.php", {"w": "পানী water", "fields": "word,pos"}),
    ("/api/dic.php", {"w": "পানী water", "fields": "translations", "langs": "en,hi"}),
    ("/api/wordsalpha.php", {"start": "ক", "fields": "examples,photos,pos", "p": 9}),
    ("/api/words", {"limit": 1000, "langs": "as,bn", "fields": "id,definitions,contexts,note"}),
    ("/api/words", {"ids": "3,2,999999,1", "fields": "id,relations"}),
    ("/api/ideas/1", {"fields": "words,source", "langs": "brx"}),
    ("/api/search", {"q": "water", "fields": "id,gender"}),
    ("/api/words", {"limit": 1000}),
    ("/api/words", {"limit": 7, "offset": 30, "language": "as"}),
    ("/api/words", {"offset": 100_000}),
    ("/api/words/1", {}),
    ("/api/words/999999", {}),
    ("/api/words/99999999999", {}),
    ("/api/ideas/1", {}),
    ("/api/ideas/99999999999999999999", {}),
    *(
        question("/api/ideas", limit=7, offset=offset, **chosen)
        for offset in (0, 5, 1000)
        for chosen in (
            {},
            {"context": "Food"},
            {"pos": "Common Noun", "language": "as"},
            {"context": 41, "pos": 3, "language": "hi"},
            {"language": "grt"},
        )
    ),
    ("/api/phrases", {"limit": 3, "offset": 4, "language": "as"}),
    ("/api/phrases", {"category": 1, "q": "bitter"}),
    ("/api/phrases/5", {}),
    ("/api/suggest", {"q": "pan", "details": "true", "langs": "hi,as", "limit": 100}),
    ("/api/search", {"q": "water", "fuzzy": "false"}),
    ("/api/search", {"q": "liquid", "lang": "as", "limit": 1000}),
    ("/api/suggest", {"q": "p", "lang": "as", "limit": 100}),
    ("/api/suggest", {"q": "নগ", "details": "true", "phrases": "true", "langs": "as"}),
    ("/api/suggest", {"q": "nogoi gor", "details": "true", "phrases": "true"}),
    ("/api/wordgames.php", {}),
    ("/api/wordgames_cards.php", {"set": 2}),
    ("/api/wordgames_cards.php", {"set": 10**17}),
    ("/api/languages", {}),
    *(question("/api/get-list.php", type=name) for name in ("LANG", "CTX", "VRT", "POS", "GEN", "RIC", "HAC", "FJCAT")),
)


@pytest.fixture(scope="module")
def engines(
    databases_with_sample: dict[str, Database], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Ask, Ask]]:
    """Send requests to one application on each engine, both with the same sample."""
    with ExitStack() as stack:
        sqlite, postgresql = (
            stack.enter_context(open_application(database, tmp_path_factory.mktemp(engine)))
            for engine, database in databases_with_sample.items()
        )
        yield sqlite, postgresql


@pytest.mark.thorough
def test_both_engines_give_the_same_bytes(engines: tuple[Ask, Ask], subtests: pytest.Subtests) -> None:
    sqlite, postgresql = engines
    for path, parameters in QUESTIONS:
        with subtests.test(path, parameters=parameters):
            one, other = sqlite(path, dict(parameters)), postgresql(path, dict(parameters))

            assert (one.status, one.body) == (other.status, other.body)
            assert one.headers.get("etag") == other.headers.get("etag")
            assert one.status < 500
