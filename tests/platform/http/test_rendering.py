"""Texts as pages show them."""

import pytest

from abhidhan.platform.http.rendering import highlighted_text
from abhidhan.records.languages import Language

ASSAMESE = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("মই ভাত খাওঁ।", {"খাওঁ"}, "মই ভাত <mark>খাওঁ</mark>।"),
        ("মই নাখাওঁ।", {"খাওঁ"}, "মই নাখাওঁ।"),
        ("মাক মাত", {"মা", "মাত"}, "মাক <mark>মাত</mark>"),
        ("<b> খা", {"খা", "<b>"}, "<mark>&lt;b&gt;</mark> <mark>খা</mark>"),
        ("খা", set(), "খা"),
    ],
)
def test_whole_words_are_highlighted_and_all_is_escaped(text: str, words: set[str], shown: str) -> None:
    assert highlighted_text(text, ASSAMESE, words) == f'<span lang="as" dir="ltr">{shown}</span>'
