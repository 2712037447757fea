from abhidhan.records.ideas import IdeaWord
from abhidhan.records.words import choose_gloss


def word(word_id: int, text: str, language_id: int = 1) -> IdeaWord:
    return IdeaWord(word_id, text, language_id, "", None, None)


def test_the_first_word_of_a_language_is_the_gloss_of_an_idea() -> None:
    assert choose_gloss([word(812, "mother"), word(17, "ma")], {}).word == "mother"


def test_the_language_of_the_reader_takes_precedence_for_the_gloss() -> None:
    words = [word(3, "mother"), word(9, "माता", 21), word(8, "मां", 21)]

    assert choose_gloss(words, {21: 0, 1: 1}).word == "माता"
