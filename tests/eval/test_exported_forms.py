"""Readers of exported dictionaries find what running text writes, nearly as the server does."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.exchange.service.exporting import build_selection, export
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from tests.support.exported_dictionaries import FindArticles, open_dsl, open_stardict, open_yomitan
from tools.form_gate import read_forms

pytestmark = pytest.mark.no_cover

FORMS = [form.form for form in read_forms()[::5]]
MOST_LOST = 0.05
COMPOSED = {"য়": "\u09df", "ড়": "\u09dc", "ঢ়": "\u09dd"}


def as_typed(forms: list[str]) -> Iterator[str]:
    """Write every second form in the other way that texts have: letters as one character, and ' for ’."""
    for number, form in enumerate(forms):
        typed = form
        for plain, letter in COMPOSED.items():
            typed = typed.replace(plain, letter)
        yield typed.replace("’", "'‘"[number // 2 % 2]) if number % 2 else form


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "opened"),
    [("stardict", open_stardict), ("dsl", partial(open_dsl, language="as")), ("yomitan", open_yomitan)],
)
def test_a_reader_finds_forms_of_running_text_nearly_as_often_as_the_server(
    whole_dictionary: Database, tmp_path: Path, name: str, opened: Callable[[Path], FindArticles]
) -> None:
    catalogue = whole_dictionary.read_now(lambda reader: reader.catalogue)
    export(
        whole_dictionary,
        name,
        tmp_path / "export.zip",
        build_selection(catalogue, languages=["as"], extra_languages=["en"]),
    )
    look = opened(tmp_path / "export.zip")
    asked = list(as_typed(FORMS))

    found = whole_dictionary.read_now(partial(headwords_of_server, forms=asked))
    lost = [form for form, headword in found.items() if not any(headword in article for article in look(form))]

    assert len(asked) == 1_000
    assert len(found) > 800
    assert len(lost) <= MOST_LOST * len(asked), lost


def headwords_of_server(connection: ReadConnection, forms: list[str]) -> dict[str, str]:
    """Return the headword of each form that the server finds as spelled, by a variant or as inflected."""
    answers = {form: look_up(connection, form, ASSAMESE)[0] for form in forms}
    sure = {Match.EXACT, Match.LOOSE, Match.INFLECTED}
    return {form: item.entries[0].word for form, item in answers.items() if item.match in sure}
