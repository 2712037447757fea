from random import Random

import pytest

from assamese.joint_ngram import JointUnit
from tools.transliteration.habits import HABITS, random_writer, respell_units

ASSAMESE = tuple(JointUnit(*pair.split(":")) for pair in ["o:অ", "x:স", "o:", "m:ম", "i:ী", "y:য়", "a:া"])
DHONYOBAD = tuple(JointUnit(*pair.split(":")) for pair in ["dh:ধ", "o:", "n:ন", "y:্য", "o:", "b:ব", "a:া", "d:দ"])
DUHKH = tuple(JointUnit(*pair.split(":")) for pair in ["d:দ", "u:ু", "h:ঃ", "kh:খ", "o:"])
XOBDO = tuple(JointUnit(*pair.split(":")) for pair in ["x:শ", "o:", "b:ব", "d:্দ", "o:"])
BORSHA = tuple(JointUnit(*pair.split(":")) for pair in ["b:ব", "o:", "r:ৰ", "x:্ষ", "a:া"])
OXTRO = tuple(JointUnit(*pair.split(":")) for pair in ["o:অ", "s:স", "t:্ত", "r:্ৰ", "o:"])
XONGKOR = tuple(JointUnit(*pair.split(":")) for pair in ["x:শ", "o:", "ng:ং", "k:ক", "o:", "r:ৰ"])
KSHETRA = tuple(JointUnit(*pair.split(":")) for pair in ["kh:ক", "y:্ষ", "e:ে", "t:ত", "r:্ৰ", "o:"])


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 (a reproducible choice, nothing secret)


def spellings(units: tuple[JointUnit, ...]) -> set[str]:
    return {"".join(unit.source for unit in respell_units(units, seeded(seed))) for seed in range(300)}


@pytest.mark.parametrize("typed", ["oxomiya", "asomiya", "osomia", "asamiya", "axomiya"])
def test_people_spell_their_language_in_all_these_ways(typed: str) -> None:
    assert typed in spellings(ASSAMESE)


@pytest.mark.parametrize("typed", ["khyetro", "khetro", "kshetra", "kkhetro"])
def test_clusters_are_spelled_as_a_whole(typed: str) -> None:
    assert typed in spellings(KSHETRA)


@pytest.mark.parametrize("typed", ["hobdo", "khobdo", "sobdo", "shobdo", "xobdo"])
def test_what_is_spoken_in_the_throat_is_an_h_to_some(typed: str) -> None:
    assert typed in spellings(XOBDO)


def test_the_last_of_the_sibilants_is_x_h_and_kh_as_well() -> None:
    assert {"borxa", "borha", "borkha", "borsa"} <= spellings(BORSHA)


def test_an_s_before_t_is_an_s_to_everybody() -> None:
    assert {typed[1] for typed in spellings(OXTRO)} == {"s"}


@pytest.mark.parametrize("typed", ["dhonyobad", "dhonnobad", "dhanyabad", "dhannabad"])
def test_a_joined_y_is_heard_as_the_letter_before_it(typed: str) -> None:
    assert typed in spellings(DHONYOBAD)


@pytest.mark.parametrize("typed", ["duhkho", "dukkho", "dukho"])
def test_a_visarga_is_heard_as_the_letter_after_it_or_not_at_all(typed: str) -> None:
    assert typed in spellings(DUHKH)


@pytest.mark.parametrize("typed", ["xongkor", "xonkor", "sankar"])
def test_an_anusvara_is_ng_or_n(typed: str) -> None:
    assert typed in spellings(XONGKOR)


def test_a_respelled_word_is_still_the_same_word() -> None:
    for seed in range(100):
        units = respell_units(ASSAMESE, seeded(seed))
        assert "".join(unit.target for unit in units) == "অসমীয়া"
        assert all(unit.source for unit in units)


def test_a_writer_has_one_habit_of_each_kind() -> None:
    writer = random_writer(seeded(1))
    assert writer.keys() == HABITS.keys()
    assert all(habit in HABITS[kind] for kind, habit in writer.items())


def test_the_shares_of_the_habits_of_a_kind_add_up_to_one() -> None:
    assert all(sum(shares.values()) == pytest.approx(1) for shares in HABITS.values())
