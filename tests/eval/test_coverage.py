"""How much of what newspapers write leads to an entry of the starter dictionary that says something."""

import os
import tomllib
from pathlib import Path

import pytest

from tools.coverage import Form, is_covered, read_forms, share_covered
from tools.evaluate import SETS, whole_starter

pytestmark = pytest.mark.no_cover

FLOORS = tomllib.loads((SETS / "floors.toml").read_text(encoding="utf-8"))["coverage"]
DATA = os.environ.get("ABHIDHAN_SHARED_DATA")


@pytest.mark.skipif(not DATA, reason="left out: the counts of newspapers (ABHIDHAN_SHARED_DATA names their folder)")
def test_as_much_of_newspapers_is_covered_as_before() -> None:
    forms = read_forms(Path(DATA or ""), most=3_000)
    with whole_starter() as database:
        share = database.read_now(lambda reader: share_covered(reader, forms))

    assert share >= FLOORS["commonest_3000"]


def test_everyday_sentences_are_covered() -> None:
    sentence = "মই আজি চৰকাৰী কাৰ্যালয়লৈ গৈ মুখ্যমন্ত্ৰীৰ কথা শুনিলোঁ আৰু পিছত ঘৰলৈ আহি ভাত খালোঁ"
    with whole_starter() as database:
        lacking = database.read_now(lambda reader: [word for word in sentence.split() if not is_covered(reader, word)])

    assert lacking == []


def test_forms_count_as_often_as_they_are_used() -> None:
    forms = [Form("পানী", 3), Form("খখখখ", 1)]
    with whole_starter() as database:
        assert database.read_now(lambda reader: share_covered(reader, forms)) == 0.75
        assert database.read_now(lambda reader: share_covered(reader, [])) == 0
