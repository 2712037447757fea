from abhidhan.editing.pages.differences import FieldDifference, compare_states, format_fields
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.history import CardSetState, IdeaState, RelationState, WordState
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem

CATALOGUE = Catalogue(
    [
        Language(1, "en", "eng", "English", "English", "Latn", "ltr"),
        Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr"),
    ],
    [ListItem("POS", 3, "Material Noun", None, None, 3), ListItem("RIC", 1, "Related", None, None, 1)],
    [],
)
IDEA = IdeaState(pos_id=3, gender_id=None, glyph="💧", created=5, definitions=((1, "one"), (1, "two"), (2, "এক")))


def test_ids_are_shown_as_words_and_internal_fields_are_hidden() -> None:
    assert format_fields(IDEA, CATALOGUE) == {
        ("pos", ""): "Material Noun",
        ("glyph", ""): "💧",
        ("definitions", "en"): "one; two",
        ("definitions", "as"): "এক",
    }
    assert format_fields(RelationState(1, 1, 7), CATALOGUE) == {("idea", ""): "1; 7", ("relation", ""): "Related"}
    assert format_fields(CardSetState("Set", 2, 1), CATALOGUE)[("answer_language", "")] == "English"


def test_only_differences_are_listed() -> None:
    before = WordState(language_id=2, text="পানী", created=0, roman="pa.ni", origin="সং.")
    after = WordState(language_id=2, text="পানী", created=9, roman="pani", ipa="pani")

    assert compare_states(before, after, CATALOGUE) == [
        FieldDifference("roman", "", "pa.ni", "pani"),
        FieldDifference("origin", "", "সং.", ""),
        FieldDifference("ipa", "", "", "pani"),
    ]


def test_equal_states_have_no_differences() -> None:
    assert compare_states(None, None, CATALOGUE) == compare_states(IDEA, IDEA, CATALOGUE) == []


def test_a_deleted_list_value_is_shown_by_its_number() -> None:
    state = IdeaState(pos_id=77, gender_id=None, glyph=None, created=0)

    assert format_fields(state, CATALOGUE) == {("pos", ""): "77"}
