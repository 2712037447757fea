"""Words of newspapers lead to meaningful entries of the starter dictionary: as many as before."""

import os
import tomllib
from pathlib import Path

import pytest

from abhidhan.platform.database.database import Database
from tools.coverage import CountedForm, compute_coverage, is_covered, read_forms
from tools.evaluate import EVAL_FOLDER

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((EVAL_FOLDER / "floors.toml").read_text(encoding="utf-8"))["coverage"]
DATA = os.environ.get("ABHIDHAN_SHARED_DATA")


@pytest.mark.skipif(not DATA, reason="left out: the counts of newspapers (ABHIDHAN_SHARED_DATA names their folder)")
def test_as_much_of_newspapers_is_covered_as_before(whole_dictionary: Database) -> None:
    forms = read_forms(Path(DATA or ""), limit=3_000)
    share = whole_dictionary.read_now(lambda reader: compute_coverage(reader, forms))

    assert share >= FLOORS["commonest_3000"]


def test_everyday_sentences_are_covered(whole_dictionary: Database) -> None:
    sentence = "মই আজি চৰকাৰী কাৰ্যালয়লৈ গৈ মুখ্যমন্ত্ৰীৰ কথা শুনিলোঁ আৰু পিছত ঘৰলৈ আহি ভাত খালোঁ"
    lacking = whole_dictionary.read_now(
        lambda reader: [word for word in sentence.split() if not is_covered(reader, word)]
    )

    assert lacking == []


def test_forms_count_as_often_as_they_are_used(whole_dictionary: Database) -> None:
    forms = [CountedForm("পানী", 3), CountedForm("খখখখ", 1)]
    assert whole_dictionary.read_now(lambda reader: compute_coverage(reader, forms)) == 0.75
    assert whole_dictionary.read_now(lambda reader: compute_coverage(reader, [])) == 0
