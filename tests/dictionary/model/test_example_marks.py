"""The words of an entry marked in its examples."""

from abhidhan.dictionary.model.example_marks import mark_forms


def test_forms_of_words_are_marked_and_other_words_with_the_same_start_are_not() -> None:
    for text, words, forms, marked in [
        ("মোক এগিলাচ পানী দিয়া।", ["পানী"], [], ["পানী"]),
        ("পানীত মাছ আছে।", ["পানী"], [], ["পানীত"]),
        ("মাক মাত", ["মা"], [], ["মাক", "মাত"]),
        ("তেওঁ কাম কৰিছে।", ["কৰা"], ["কৰিছে"], ["কৰিছে"]),
        ("মৰম আৰু মৰণ", ["মৰা"], [], []),
        ("মই নাখাওঁ।", ["খা"], ["খাওঁ"], []),
        ("The rivers rise.", ["river"], [], ["rivers"]),
        ("The catalogue of a cat", ["cat"], [], ["cat"]),
        ("মই ভাত খাওঁ।", [], [], []),
    ]:
        pieces = mark_forms(text, words, forms)

        assert "".join(piece for piece, _ in pieces) == text, text
        assert [piece for piece, is_form in pieces if is_form] == marked, text
