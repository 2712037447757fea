from assamese.joint_ngram import FIRST_UNIT, JointUnit, Transducer
from tools.transliteration.backoff import estimate, load_packed

PAIRS = [
    JointUnit("k", "ক"),
    JointUnit("kh", "খ"),
    JointUnit("a", "া"),
    JointUnit("o", ""),
    JointUnit("t", "ত"),
    JointUnit("t", "ট"),
    JointUnit("h", "হ"),
]
K, KH, A, SILENT, T, TT, H = range(FIRST_UNIT, FIRST_UNIT + len(PAIRS))
SEEN = [(K, A, T), (K, A, T), (K, A, TT), (KH, A, T), (K, SILENT, T, A), (KH, SILENT, TT), (T, SILENT, H)]
MODEL = load_packed(estimate(SEEN, 3, {}))


def targets(source: str, limit: int = 5) -> list[str]:
    return [found.target for found in Transducer(PAIRS, MODEL).find_best(source, limit)]


def test_the_likeliest_reading_comes_first() -> None:
    assert targets("kat")[:2] == ["কাত", "কাট"]


def test_letters_of_one_sound_are_read_together() -> None:
    assert targets("kha")[0] == "খা"


def test_an_unwritten_vowel_is_added_in_roman_letters() -> None:
    back = Transducer([JointUnit(pair.target, pair.source) for pair in PAIRS], MODEL)
    assert "kota" in [found.target for found in back.find_best("কতা", 5)]


def test_at_most_the_requested_number_of_readings_is_returned() -> None:
    assert len(targets("kat", 1)) == 1
    assert targets("kat!") == []  # an unknown letter


def test_each_reading_has_its_units_and_a_score() -> None:
    best = Transducer(PAIRS, MODEL).find_best("kat", 1)[0]
    assert best.units == (K, A, T)
    assert best.score < 0
