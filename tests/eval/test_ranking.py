"""The right word comes first as often as before: part of `make eval`, with the starter dictionary alone."""

import tomllib
from pathlib import Path

import pytest

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.records.languages import ASSAMESE
from assamese.keys import exact_key
from tools.evaluate import EVAL_FOLDER, open_small_starter
from tools.evaluate_ranking import ask_all, compute_right_share, filter_answers
from tools.ranking.dictionaries import LICENCES, open_larger, read_extra_words
from tools.ranking.forms import collect_forms
from tools.ranking.material import Material, load_material
from tools.ranking.misspelling import iter_confusions
from tools.ranking.queries import MISSPELLED, Question, make_questions

pytestmark = pytest.mark.no_cover
"""As in test_quality.py."""

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["ranking"]
WORDS_OF_A_BAND = 30


@pytest.fixture(scope="module")
def material() -> Material:
    return load_material(None)


@pytest.fixture(scope="module")
def questions(material: Material) -> tuple[Question, ...]:
    return make_questions(material, WORDS_OF_A_BAND)


def test_the_right_word_comes_first_as_often_as_before(questions: tuple[Question, ...]) -> None:
    with open_small_starter() as database:
        answers = database.read_now(lambda reader: ask_all(reader, questions))

    shares = {
        row: compute_right_share(filter_answers(answers, row)) for row in dict.fromkeys(each.row for each in questions)
    }

    assert {row: share for row, share in shares.items() if share < FLOORS[row]} == {}
    assert shares.keys() == FLOORS.keys()


def test_the_same_queries_are_made_every_time(material: Material, questions: tuple[Question, ...]) -> None:
    assert make_questions(material, WORDS_OF_A_BAND) == questions


def test_no_word_is_in_both_halves(questions: tuple[Question, ...]) -> None:
    halves: dict[str, set[str]] = {}
    for each in questions:
        halves.setdefault(each.expected, set()).add(each.half)

    assert {word: of_word for word, of_word in halves.items() if len(of_word) > 1} == {}


def test_no_query_is_repeated(questions: tuple[Question, ...]) -> None:
    asked = [(each.row, each.text) for each in questions if not each.row.startswith("suggest")]

    assert len(asked) == len(set(asked))


def test_a_misspelling_is_not_another_word(material: Material, questions: tuple[Question, ...]) -> None:
    misspelled = [each for each in questions if each.row == MISSPELLED]

    assert misspelled
    assert [each for each in misspelled if exact_key(each.text) in material.headwords] == []


def test_letters_that_begin_no_word_are_not_put_first() -> None:
    assert {wrong for kind, wrong in iter_confusions("নদী") if kind == "ন and ণ"} == set()


def test_a_headword_is_never_a_query_for_a_form(material: Material) -> None:
    forms = {form for of_word in collect_forms(material).values() for _, form in of_word}

    assert forms
    assert {form for form in forms if exact_key(form) in material.headwords} == set()


# --- the larger dictionary --------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Make a folder as the shared data are, with words that are nobody's."""
    files = {
        "iecor/DERIVED_aligned.tsv": "concept\tas\ten\nhill\tগগগ|ঘঘঘ\thill|mound\n",
        "wiktionary_concepts/DERIVED_aligned.tsv": "as\ten\n\tnobody\nগগগ\tsecond\n",
        "gatitos/en_as.tsv": "water\tপানী\nred lake\tঙঙ ঙঙ\n",
        "unimorph_asm/asm_large.train": "ঘঘঘ\tঘঘঘৰ\tN\nচচচ\tচচচৰ\tN\n",
        "unimorph_asm/asm.dev": "চচচ\tচচচত\tN\n",
        "hunspell_as/wordlist.txt": "চচচ\nছছছ\nপানী\n",
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_each_extra_word_is_read_once_with_its_licence_and_english(data: Path) -> None:
    words = list(read_extra_words(data, {exact_key("পানী")}))

    assert {word.source for word in words} <= LICENCES.keys()
    assert [(word.text, word.english) for word in words] == [
        *(("গগগ", "hill"), ("ঘঘঘ", "hill"), ("ঙঙ ঙঙ", "red lake")),
        *(("চচচ", ""), ("ছছছ", "")),
    ]


def test_the_larger_dictionary_has_the_starter_and_the_extra_words(data: Path, tmp_path: Path) -> None:
    with open_larger(data, tmp_path / "kept") as database:
        water, bare = database.read_now(lambda reader: look_up(reader, "পানী ছছছ", ASSAMESE))

    with open_larger(data, tmp_path / "kept") as again:
        translated = again.read_now(lambda reader: look_up(reader, "গগগ", ASSAMESE)[0])

    assert [other.word for other in water.entries[0].meanings[0].translations if other.language_id == 1] == ["water"]
    assert bare.entries[0].meanings[0].translations == ()
    assert [other.word for other in translated.entries[0].meanings[0].translations] == ["hill"]
