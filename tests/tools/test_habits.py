from random import Random

import pytest

from abhidhan.domain.text.transducer import Pair
from tools.transliteration.habits import HABITS, a_writer, respelled

ASSAMESE = tuple(Pair(*pair.split(":")) for pair in ["o:অ", "x:স", "o:", "m:ম", "i:ী", "y:য়", "a:া"])
KSHETRA = tuple(Pair(*pair.split(":")) for pair in ["kh:ক", "y:্ষ", "e:ে", "t:ত", "r:্ৰ", "o:"])


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 (a reproducible choice, nothing secret)


def spellings(units: tuple[Pair, ...]) -> set[str]:
    return {"".join(unit.source for unit in respelled(units, seeded(seed))) for seed in range(300)}


@pytest.mark.parametrize("typed", ["oxomiya", "asomiya", "osomia", "asamiya", "axomiya"])
def test_people_spell_their_language_in_all_these_ways(typed: str) -> None:
    assert typed in spellings(ASSAMESE)


@pytest.mark.parametrize("typed", ["khyetro", "khetro", "kshetra"])
def test_clusters_are_spelled_as_a_whole(typed: str) -> None:
    assert typed in spellings(KSHETRA)


def test_a_respelled_word_is_still_the_same_word() -> None:
    for seed in range(100):
        units = respelled(ASSAMESE, seeded(seed))
        assert "".join(unit.target for unit in units) == "অসমীয়া"
        assert all(unit.source for unit in units)


def test_a_writer_has_one_habit_of_each_kind() -> None:
    writer = a_writer(seeded(1))
    assert writer.keys() == HABITS.keys()
    assert all(habit in HABITS[kind] for kind, habit in writer.items())


def test_the_shares_of_the_habits_of_a_kind_add_up_to_one() -> None:
    assert all(sum(shares.values()) == pytest.approx(1) for shares in HABITS.values())
