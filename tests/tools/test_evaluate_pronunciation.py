from pathlib import Path

import pytest

from tools.evaluate_pronunciation import (
    WIKIPRON_FILE,
    Failure,
    Half,
    describe_difference,
    find_failures,
    group_failures,
    half_of,
    main,
    normalize_notation,
    read_pronunciations,
)


def test_two_notations_of_one_sound_are_equal() -> None:
    for theirs, ours in (
        ("p a tʰ ɔ ɹ", "patʰɔɹ"),
        ("x o ɪ", "xoi"),
        ("ɦ ɔ l o ʊ", "ɦɔlou"),
        ("m a n u ʱ", "manuɦ"),
        ("b a ɹʱ a", "baɹɦa"),
        ("ɡ o ɾ u", "ɡoɹu"),
        ("k ɒ r a ː", "kɔɹa"),
        ("ɦ ɔ é", "ɦɔe\u032f"),
        ("b ɔ ˈ z a ɹ", "bɔzaɹ"),
        ("k a \u0303", "kã"),
    ):
        assert normalize_notation(theirs) == normalize_notation(ours), theirs


def test_sounds_that_distinguish_words_stay_different() -> None:
    for words in (
        ("kɔla", "kola", "kʊla", "kula", "kɔlɔ"),
        ("bɛli", "beli", "bɛlɛ", "bali"),
        ("kal", "kʰal", "xal", "ɡal", "ɡʱal", "kãl"),
        ("xakɔ", "xakkɔ", "xak", "sakɔ", "zakɔ", "ɦakɔ"),
        ("aɡɔni", "aɡni"),
    ):
        assert len({normalize_notation(word) for word in words}) == len(words), words


def test_about_half_of_the_words_belong_to_each_half() -> None:
    words = [f"{first}া{last}" for first in "কগচজতদনপবমৰলসহ" for last in "কগচজতদনপবমৰলসহ"]
    telling = [word for word in words if half_of(word) == Half.TELLING]

    assert 0.4 < len(telling) / len(words) < 0.6


def test_a_word_fails_whose_pronunciation_is_none_of_the_recorded() -> None:
    recorded = {"পানী": {"p a n ɪ", "p o n i"}, "মাছ": {"m a x", "m ɔ"}}

    assert find_failures(recorded) == [Failure("মাছ", "mas", "max")]


def test_failures_are_grouped_by_their_difference() -> None:
    failed = [Failure("ক", "kɔla", "kola"), Failure("খ", "bak", "pak"), Failure("গ", "xɔ", "xo")]

    assert describe_difference(failed[0]) == "ɔ>o"
    assert [(differing, len(group)) for differing, group in group_failures(failed)] == [("ɔ>o", 2), ("b>p", 1)]


def test_failures_of_the_evaluation_half_are_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["কাক", "কাগ", "কাম", "কাল", "কান", "তান", "মান", "দান"]
    file = tmp_path / WIKIPRON_FILE
    file.parent.mkdir()
    file.write_text("".join(f"{word}\tx\n" for word in words), encoding="utf-8")

    main([str(tmp_path), "--failures", "100"])
    output = capsys.readouterr().out

    assert {word for word in words if word in output} == {word for word in words if half_of(word) == Half.TUNING}


def test_every_pronunciation_of_a_word_is_read(tmp_path: Path) -> None:
    file = tmp_path / "words.tsv"
    file.write_text("# a note\nপানী\tp a n i\nপানী\tp o n i\n", encoding="utf-8")

    assert read_pronunciations(file) == {"পানী": {"p a n i", "p o n i"}}
