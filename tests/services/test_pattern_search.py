"""What searches with wildcards answer, on both engines."""

import asyncio
from typing import Final

import pytest

from abhidhan.domain.matching.wildcards import Signs
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.field_search import Found
from abhidhan.services.dictionary.questions import LanguageName, SearchRequest
from abhidhan.storage.engine.database import Database
from abhidhan.web.pages.interface import in_assamese


def find(database: Database, text: str, language: str = "0", limit: int = 12) -> Found:
    request = SearchRequest(text, LanguageName(language, "lang"), limit, fuzzy=False, wildcards=Signs.EVERYWHERE)
    return asyncio.run(Dictionary(database, translate=in_assamese).search(request))


def words(found: Found) -> list[str]:
    return [word.word for word in found.words]


ANSWERS: Final = {
    "পা*": "পাখি পাখি পাখী পানি পানী পানীয়_জল",
    "*ানী": "পানী গৰম_পানী খোৱা_পানী",
    "*া*": "খা চা মা মা যা ক’লা কলা কলা চাঁদ চাহ তৰা বগা",
    "ক?": "ক’লা কলা কলা",
    "??": "go आम और कल जल मन আই আম আম আর জল জল",
    "?া": "খা চা মা মা যা",
    "?া?": "চাঁদ চাহ ভাত ভাত মাছ মাছ লাল সাত সাত হাত হাত কালি",
    "ক?া": "ক’লা কলা কলা",
    "*লা": "ক’লা কলা কলা",
    "ৰ*": "ৰঙা রাজ্য ৰাজ্য",
    "সূৰ্য্য*": "সূর্য সূৰ্য সূৰ্য্য",
    "*নি": "পানি ধ্বনি ধ্বনি",
    "*ঙা": "ৰঙা",
    "ৰ?": "ৰঙা",
    "*er": "water father mother hot_water drinking_water",
    "?at*": "eat water father",
    "w?t*r": "water",
    "wa*er": "water",
    "ক*া": "ক’লা কলা কলা ক্ষমা ক্ষমা",
    "ক্?*": "ক্ষমা ক্ষমা",
    "*?্?*": "শব্দ শব্দ ক্ষমা ক্ষমা খাদ্য খাদ্য জন্তু ধ্বনি ধ্বনি রাজ্য সূর্য সূৰ্য",
    "*-*a": "tea Mangifera_indica",
    "ক’লা*": "ক’লা কলা কলা",
    "*qqq*": "",
    "pos:noun *া": "চা মা মা কলা কলা তৰা মশা ল’ৰা ডানা তারা পিতা পিতা",
    "lang:as ??": "আই আম জল মন মহ ম’হ আৰু ক’লা কলা চাহ জোন তৰা",
    "lang:en *a*": "and art eat tea deaf Garo hand star Assam black mango state",
    "*a* has:photo": "",
    "context:water *": "drinking_water water খোৱা_পানী জল পানী दै pani जल पानी জল পানি পানীয়_জল",
}
"""The first twelve words of each answer, in their order; of the sample, where a space is written `_`."""


def test_words_that_fit_are_found_by_either_key_the_shortest_first(shared_dictionary: Database) -> None:
    for pattern, answer in ANSWERS.items():
        found = find(shared_dictionary, pattern)

        assert " ".join(word.replace(" ", "_") for word in words(found)) == answer, pattern
        assert found.is_complete, pattern


def test_the_greatest_score_has_the_word_with_the_fewest_letters_beside_those_typed(
    shared_dictionary: Database,
) -> None:
    scores = [(word.match.value, word.score) for word in find(shared_dictionary, "*a*", "en", limit=1000).words]

    assert scores[0] == ("wildcard", 0.68)
    assert scores == sorted(scores, key=lambda each: -each[1])
