"""One complete answer of every address, compared whole with the one kept in `golden/`.

After a change that is meant, write them anew and read the difference:
`make golden`.
"""

import os
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.support.application import Ask

FOLDER: Final = Path(__file__).parent / "golden"
WRITE: Final = "ABHIDHAN_WRITE_GOLDEN" in os.environ

QUESTIONS: Final[dict[str, tuple[str, dict[str, object]]]] = {
    "dic": ("/api/dic.php", {"w": "পানী"}),
    "dic-of-several-words": ("/api/dic.php", {"w": "গৰম পানি xobdo, nothing"}),
    "dic-roman": ("/api/dic.php", {"w": "pani"}),
    "dic-inflected": ("/api/dic.php", {"w": "went", "l": "en"}),
    "wordsalpha": ("/api/wordsalpha.php", {"start": "ক", "end": "চ", "lim": 4}),
    "wordsalpha-of-a-part-of-speech": ("/api/wordsalpha.php", {"start": "ক", "p": 5, "lim": 2}),
    "words_recent": ("/api/words_recent.php", {"limit": 2}),
    "check-fj": ("/api/check-fj.php", {"fj": "নগই গড়গাওঁৰ বতৰা কয়"}),
    "tlipi": ("/api/tlipi.php", {"pa": "অসমীয়া ভাষা, ১২।"}),
    "tlipi-to-assamese": ("/api/tlipi.php", {"pa": "xobdo pani"}),
    "dic-wiki": ("/api/dic-wiki.php", {}),
    "wordgames": ("/api/wordgames.php", {}),
    "wordgames_cards": ("/api/wordgames_cards.php", {}),
    **{
        f"get-list-{name}": ("/api/get-list.php", {"type": name})
        for name in ("LANG", "CTX", "VRT", "POS", "GEN", "RIC", "HAC", "FJCAT")
    },
    "submit-foto": ("/api/submit-foto.php", {}),
    "words": ("/api/words", {"limit": 2, "offset": 1, "search": "পা"}),
    "word": ("/api/words/1", {}),
    "idea": ("/api/ideas/1", {}),
    "ideas": ("/api/ideas", {"context": "Water", "pos": 3, "language": "as", "limit": 1}),
    "phrases": ("/api/phrases", {"q": "hati"}),
    "phrase": ("/api/phrases/5", {}),
    "languages": ("/api/languages", {}),
    "search": ("/api/search", {"q": "hati", "limit": 3}),
    "suggest": ("/api/suggest", {"q": "pan"}),
    "suggest-details": ("/api/suggest", {"q": "pan", "details": "true", "langs": "as,en", "limit": 4}),
    "problem": ("/api/wordsalpha.php", {"lim": "many", "l": "%"}),
    "not-found": ("/api/words/999999", {}),
    "live": ("/health/live", {}),
    "ready": ("/health/ready", {}),
}
METHODS: Final = {"submit-foto": "POST"}


def indent_json(body: bytes) -> str:
    """Write JSON so that a change of it is easy to read."""
    return msgspec.json.format(body, indent=2).decode() + "\n"


def test_each_answer_equals_its_golden_file(api: Ask, subtests: pytest.Subtests) -> None:
    for name, (path, parameters) in QUESTIONS.items():
        with subtests.test(name):
            text = indent_json(api(path, parameters, method=METHODS.get(name, "GET")).body)
            file = FOLDER / f"{name}.json"
            if WRITE:
                file.write_text(text, encoding="utf-8")

            assert text == file.read_text(encoding="utf-8")


def test_every_golden_file_is_compared() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(QUESTIONS)
