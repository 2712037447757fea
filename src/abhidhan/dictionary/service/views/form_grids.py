"""Arrange the forms of a word for its page: persons by tenses, cases by number."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from assamese.conjugation import PERSONS
from assamese.inflected_forms import FormTable
from assamese.paradigms import Label, get_label

PERSONS_AND_TENSES: Final = Label("Persons and tenses", "পুৰুষ আৰু কাল")
NEGATIVE_FORMS: Final = Label("Negative forms", "নঞৰ্থক ৰূপ")
CASES: Final = Label("Cases", "কাৰক আৰু বিভক্তি")
FURTHER_PLURALS: Final = Label("Further plurals", "অন্য বহুবচন")
WITH_CLASSIFIER: Final = Label("With a classifier", "নিৰ্দিষ্টতাবাচক প্ৰত্যয়ৰ সৈতে")
OTHER_FORMS: Final = Label("Other forms", "অন্যান্য ৰূপ")
STORED_FORMS: Final = Label("Forms entered with the word", "শব্দটোৰ লগত দিয়া ৰূপ")

HEADINGS: Final = {
    get_label("first"): Label("মই I", "মই"),
    get_label("familiar"): Label("তই you, familiar", "তই"),
    get_label("second"): Label("তুমি you", "তুমি"),
    get_label("third"): Label("আপুনি, সি you (polite), he, she", "আপুনি, সি, তাই"),
    get_label("alone"): Label("singular", "একবচন"),
    get_label("other"): Label("affirmative", "সদৰ্থক"),
    get_label("not_other"): Label("negative", "নঞৰ্থক"),
}
"""Column headings that are shorter than the labels of the forms."""

_TITLES_BY_NAME: Final = {
    "alone": CASES,
    "definite": WITH_CLASSIFIER,
    "few": WITH_CLASSIFIER,
    "plural": FURTHER_PLURALS,
    "other": OTHER_FORMS,
    "not_other": OTHER_FORMS,
}
"""Titles of tables without persons, by the name of their label; others keep their label."""

_PERSONS: Final = tuple(get_label(person) for person in PERSONS)
_NEGATIVE_PREFIX: Final = Label("negative, ", "নঞৰ্থক, ")


class FormGrid(NamedTuple):
    """Table of forms with one cell per column in each row; without `columns`, one cell."""

    title: Label
    columns: tuple[Label, ...]
    rows: tuple[tuple[Label | None, tuple[tuple[str, ...], ...]], ...]


def arrange_forms(tables: Iterable[FormTable]) -> tuple[FormGrid, ...]:
    """Arrange tables of forms as grids, most usual forms first."""
    by_title: dict[Label, list[FormTable]] = {}
    for table in tables:
        title = _choose_title(table)
        if title == FURTHER_PLURALS and len(by_title.get(CASES, ())) == 1:
            title = CASES
        by_title.setdefault(title, []).append(table)
    return tuple(_build_grid(title, group) for title, group in by_title.items())


def _choose_title(table: FormTable) -> Label:
    if table.label is None:
        return STORED_FORMS
    if all(line.label in _PERSONS for line in table.lines):
        return NEGATIVE_FORMS if table.label.name.startswith("not_") else PERSONS_AND_TENSES
    return _TITLES_BY_NAME.get(table.label.name, table.label)


def _build_grid(title: Label, tables: Sequence[FormTable]) -> FormGrid:
    lines = list(dict.fromkeys(line.label for table in tables for line in table.lines))
    if title in {PERSONS_AND_TENSES, NEGATIVE_FORMS}:
        persons = [line_label for line_label in _PERSONS if line_label in lines]
        rows = [
            (_get_tense_label(table), tuple(_list_forms(table, line_label) for line_label in persons))
            for table in tables
        ]
        return FormGrid(title, tuple(HEADINGS[line_label] for line_label in persons), tuple(rows))
    columns = [HEADINGS.get(table.label, table.label) for table in tables if table.label is not None]
    cells = [(line_label, tuple(_list_forms(table, line_label) for table in tables)) for line_label in lines]
    return FormGrid(title, tuple(columns) if len(tables) > 1 else (), tuple(cells))


def _get_tense_label(table: FormTable) -> Label | None:
    if table.label is None:
        return None
    return Label(
        table.label.english.removeprefix(_NEGATIVE_PREFIX.english),
        table.label.assamese.removeprefix(_NEGATIVE_PREFIX.assamese),
    )


def _list_forms(table: FormTable, line_label: Label) -> tuple[str, ...]:
    return tuple(form for line in table.lines if line.label == line_label for form in line.forms)
