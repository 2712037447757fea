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


def test_words_are_spelled_in_the_ways_that_people_use(subtests: pytest.Subtests) -> None:
    for units, typed in (
        (ASSAMESE, {"oxomiya", "asomiya", "osomia", "asamiya", "axomiya"}),
        (KSHETRA, {"khyetro", "khetro", "kshetra", "kkhetro"}),  # a cluster, as a whole
        (XOBDO, {"hobdo", "khobdo", "sobdo", "shobdo", "xobdo"}),  # The velar fricative is an h to some.
        (BORSHA, {"borxa", "borha", "borkha", "borsa"}),  # So is the last of the sibilants.
        (DHONYOBAD, {"dhonyobad", "dhonnobad", "dhanyabad", "dhannabad"}),  # A joined y doubles the letter before it.
        (DUHKH, {"duhkho", "dukkho", "dukho"}),  # A visarga doubles the letter after it or is silent.
        (XONGKOR, {"xongkor", "xonkor", "sankar"}),  # An anusvara is ng or n.
    ):
        with subtests.test(min(typed)):
            assert typed <= spellings(units)


def test_an_s_before_t_is_always_an_s() -> None:
    assert {typed[1] for typed in spellings(OXTRO)} == {"s"}


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
