"""The forms of a word as its page arranges them."""

from abhidhan.dictionary.service.views.form_grids import FormGrid, arrange_forms
from assamese.inflected_forms import build_tables, generate_cells
from assamese.paradigms import Headword, WordKind


def grids(text: str, kind: WordKind, stored: dict[str, str] | None = None, definitive: str = "") -> dict[str, FormGrid]:
    tables = build_tables(generate_cells(Headword(text, frozenset({kind}), definitive)), stored or {})
    return {grid.title.english: grid for grid in arrange_forms(tables)}


def rows(grid: FormGrid) -> dict[str, list[str]]:
    return {label.english if label else "": [", ".join(cell) for cell in cells] for label, cells in grid.rows}


def test_verbs_have_persons_in_columns_and_their_negative_and_other_forms_apart() -> None:
    result = grids("কৰা", WordKind.TRANSITIVE)

    assert list(result) == ["Persons and tenses", "Negative forms", "Other forms"]
    finite = result["Persons and tenses"]
    assert [column.assamese for column in finite.columns] == ["মই", "তই", "তুমি", "আপুনি, সি, তাই"]
    assert rows(finite)["past"] == ["কৰিলোঁ", "কৰিলি", "কৰিলা", "কৰিলে"]
    assert rows(finite)["imperative"] == ["", "কৰ", "কৰা", "কৰক"]
    assert rows(result["Negative forms"])["present"] == ["নকৰোঁ", "নকৰ", "নকৰা", "নকৰে"]
    assert rows(result["Other forms"])["conjunctive participle"] == ["কৰি", "নকৰি"]


def test_nouns_have_cases_by_number() -> None:
    result = grids("ভাই", WordKind.COMMON_NOUN, definitive="-জন")

    assert list(result) == ["Cases", "With a classifier", "Further plurals", "of whom a relative is one"]
    assert rows(result["Cases"])["nominative with ending"] == ["ভায়ে, ভাইয়ে", "ভাইবোৰে"]
    assert rows(result["Further plurals"])["genitive"] == ["ভাইবিলাকৰ", "ভাইহঁতৰ"]


def test_uncountable_nouns_have_one_column_without_a_heading() -> None:
    cases = grids("দয়া", WordKind.OTHER_NOUN)["Cases"]

    assert cases.columns == ()
    assert rows(cases)["genitive"] == ["দয়াৰ"]


def test_stored_forms_outside_the_rules_come_last() -> None:
    result = grids("পানী", WordKind.MATERIAL_NOUN, {"পানীও": "", "পানীয়ে": ""})

    assert list(result)[-1] == "Forms entered with the word"
    assert [cells for _, cells in result["Forms entered with the word"].rows] == [(("পানীও",),)]
