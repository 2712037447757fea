"""Articles of dictd and StarDict as they really are: FreeDict, GCIDE, WordNet, Littré and others wrote them."""

import struct
from pathlib import Path

import pytest

from abhidhan.domain.incoming import Placed
from abhidhan.domain.records import FormsRecord, IdeaRecord
from abhidhan.formats.articles import Article, article_ideas, written_headword
from abhidhan.formats.dictd import DIGITS
from abhidhan.formats.marks import unmarked
from abhidhan.formats.reading import Options
from tests.support.importing import SOURCE, ideas, read, records, words

GERMAN = Options(source=SOURCE, language="de", target="en")
ENGLISH = Options(source=SOURCE, language="en", target="en")


def meanings(headword: str, text: str, options: Options = GERMAN) -> list[IdeaRecord]:
    """Read the meanings of an article."""
    return list(article_ideas(Article(headword, text), "s", options))


def only(headword: str, text: str, options: Options = GERMAN) -> IdeaRecord:
    """Read the only meaning of an article."""
    (idea,) = meanings(headword, text, options)
    return idea


@pytest.mark.parametrize(
    ("headword", "line", "written"),
    [
        ("jdn sexuell", "jdn. sexuell /x/ <v>", "jdn. sexuell"),
        ("fiddle", "FIDDLE, n.  An instrument", "FIDDLE"),
        ("um", "umbrella", None),
        ("কি", "কী", None),
        ("strasse", "Straße /x/", "Straße"),
        ("word", "word", "word"),
    ],
)
def test_a_headword_is_taken_as_the_article_writes_it(headword: str, line: str, written: str | None) -> None:
    assert written_headword(headword, line) == written


def test_freedict_articles_lose_their_marks_and_keep_what_they_say() -> None:
    text = (
        "Wandstärke, Dicke /vˈant/ <fem, n, sg>\n"
        "wall thickness <n> [techn.], thickness <n>\n"
        "         Note: of pipes\n"
        '      "Die Wandstärke stimmt."  - The wall thickness is right.\n'
        "   Synonym: {Stärke}\n\n see: {Wand}, {stark}\n"
    )
    idea = only("Wandstärke", text)

    assert words(idea) == [("de", "Wandstärke"), ("en", "wall thickness"), ("en", "thickness")]
    assert (idea.pos, idea.gender) == ("Common Noun", "Feminine")
    head = idea.words[0]
    assert (head.ipa, head.forms, head.note) == ("vˈant", ("Dicke",), "sg; of pipes")
    assert idea.words[1].note == "techn."
    assert [(one.text, one.translation) for one in idea.examples] == [
        ("Die Wandstärke stimmt.", "The wall thickness is right."),
    ]


def test_wordnet_articles_are_parted_by_their_numbers_and_labels() -> None:
    text = "bank\n    n 1: sloping land [syn: {bank},\n         {shore}]\n    2: a supply\n    adv 1: along\n"
    found = meanings("bank", text, ENGLISH)

    assert [(idea.pos, idea.definitions[0].text) for idea in found] == [
        ("Common Noun", "sloping land [syn: bank, shore]"),
        ("Common Noun", "a supply"),
        ("Adverb", "along"),
    ]


def test_what_stands_before_the_numbers_is_no_meaning() -> None:
    head = "Oak \\Oak\\ ([=o]k), n. [OE. oke, ok;\n   akin to D. eik.]\n   [1913 Webster]\n"
    text = f"{head}   1. A tree.\n\n   2. Its wood.\n"
    tree, wood = meanings("Oak", text, ENGLISH)

    assert (tree.definitions[0].text, wood.definitions[0].text) == ("A tree.", "Its wood.")
    assert tree.pos == wood.pos == "Common Noun"
    assert tree.words[0].origin == "OE. oke, ok; akin to D. eik."


def test_a_part_of_speech_after_the_inflected_forms_is_read() -> None:
    options = Options(source=SOURCE, language="fr", target="fr")
    text = "(boi-r'), je bois, tu bois ; bu, v. a.\n\n1° Avaler un liquide.\n\n2° Dépenser à boire."

    assert [idea.pos for idea in meanings("BOIRE", text, options)] == ["Transitive", "Transitive"]


def test_a_number_within_an_article_does_not_part_it() -> None:
    text = "See Smith, page\n230. A long story that is told there."

    assert "230." in only("story", text, ENGLISH).definitions[0].text


def test_a_verb_of_which_no_more_is_told_loses_its_label_and_gets_no_part_of_speech() -> None:
    idea = only("FLOP", "FLOP, v.  To change one's opinions.", ENGLISH)

    assert (idea.pos, idea.definitions[0].text) == (None, "To change one's opinions.")


def test_paragraphs_are_kept_and_lines_are_joined() -> None:
    text = "Nero fiddled\nwhile Rome\nwas burning down.\n\nSo they say."

    assert (
        only("fiddle", text, ENGLISH).definitions[0].text == "Nero fiddled while Rome was burning down.\nSo they say."
    )


def dictd(index: list[tuple[str, str]], texts: dict[str, str]) -> dict[str, str | bytes]:
    """Make a database of dictd: headwords, each with the name of its text."""
    places, body = {}, b""
    for name, text in texts.items():
        places[name] = (len(body), len(text.encode()))
        body += text.encode()
    lines = (f"{headword}\t{number(places[name][0])}\t{number(places[name][1])}\n" for headword, name in index)
    return {"k.index": "".join(lines), "k.dict": body}


def number(value: int) -> str:
    """Write a number as dictd does."""
    letters = list(DIGITS)
    return letters[value // 64] + letters[value % 64]


def test_lines_of_the_index_that_lead_into_an_article_of_another_do_not_double_it(tmp_path: Path) -> None:
    index = [("00-database-info", "oak"), ("acorn", "oak"), ("eiche", "oak"), ("oak", "oak")]
    files = dictd(index, {"oak": "Oak, Eiche /x/ <n>\nA tree that bears acorns every year.\n"})
    found = records(read(tmp_path, "dictd", files, ENGLISH))

    assert [one.text for one in found if isinstance(one, FormsRecord)] == ["Oak"]
    assert [one.forms for one in found if isinstance(one, FormsRecord)] == [(("eiche", ""),)]
    assert [one.words[0].text for one in found if isinstance(one, IdeaRecord)] == ["Oak"]


def test_the_headword_of_the_fourth_column_is_as_it_is_written(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"k.index": "xobdo\tA\tG\tXobdo\n", "k.dict": "a word"}
    (idea,) = ideas(read(tmp_path, "dictd", files, GERMAN))

    assert idea.words[0].text == "Xobdo"


def stardict(types: str, index: list[tuple[str, int, int]], texts: bytes) -> dict[str, str | bytes]:
    """Make a StarDict dictionary."""
    lines = b"".join(word.encode() + b"\0" + struct.pack(">II", place, size) for word, place, size in index)
    return {
        "a.ifo": f"StarDict's dict ifo file\nversion=2.4.2\nsametypesequence={types}\n",
        "a.idx": lines,
        "a.dict": texts,
    }


def test_synonyms_and_further_spellings_of_stardict_find_the_word(tmp_path: Path) -> None:
    files = stardict("m", [("colour", 0, 5), ("color", 0, 5)], b"Farbe")
    files["a.syn"] = b"hue\0" + struct.pack(">I", 0)
    options = Options(source=SOURCE, language="en", target="de")
    word, spelling = (one.record for one in read(tmp_path, "stardict", files, options)[1:] if isinstance(one, Placed))

    assert isinstance(word, IdeaRecord)
    assert (words(word), word.words[0].forms) == ([("en", "colour"), ("de", "Farbe")], ("hue",))
    assert spelling == FormsRecord("en", "colour", (("color", ""),), optional=True)


def test_the_pronunciation_of_stardict_is_told_apart(tmp_path: Path) -> None:
    files = stardict("tm", [("fish", 0, 9)], b"f\xc9\xaa\xca\x83\0Fisch"[:11])
    files["a.idx"] = b"fish\0" + struct.pack(">II", 0, 11)
    (idea,) = ideas(read(tmp_path, "stardict", files, Options(source=SOURCE, language="en", target="de")))

    assert (idea.words[0].ipa, words(idea)[1]) == ("fɪʃ", ("de", "Fisch"))


def test_lists_scripts_and_comments_of_html_leave_no_trace(tmp_path: Path) -> None:
    text = b"<style>li { color: red }</style><!-- x --><ol><li>A first long meaning of it</li><li>Another</li></ol>"
    files = stardict("h", [("word", 0, len(text))], text)
    (idea,) = ideas(read(tmp_path, "stardict", files, ENGLISH))

    assert idea.definitions[0].text == "A first long meaning of it\nAnother"


@pytest.mark.parametrize(
    ("text", "plain", "labels"),
    [
        ("casa <n>", "casa", ("n",)),
        ("casa <n, f>, hogar <n, m>", "casa, hogar", ("n", "f", "n", "m")),
        ("tijeras <fpl>", "tijeras", ("fpl",)),
        ("take off <PhrV> [aviation]", "take off [aviation]", ("phrv",)),
        ("the <p> tag", "the <p> tag", ()),
        ("the <a> and <html>", "the <a> and <html>", ()),
        ("<n>", "<n>", ()),
        ("a <b", "a <b", ()),
        ("write to <me>", "write to <me>", ()),
    ],
)
def test_marks_of_grammar_are_taken_off_and_other_text_in_angle_brackets_stays(
    text: str, plain: str, labels: tuple[str, ...]
) -> None:
    assert unmarked(text) == (plain, labels)


def test_marks_at_translations_are_no_part_of_the_words_and_their_gender_is_a_note() -> None:
    idea = only("Haus", "casa <n, f>, hogar <n, m>", GERMAN)

    assert words(idea) == [("de", "Haus"), ("en", "casa"), ("en", "hogar")]
    assert [word.note for word in idea.words] == [None, "f", "m"]
    assert (idea.pos, idea.gender) == ("Common Noun", None)


def test_a_headword_with_its_mark_is_a_word_without_it(tmp_path: Path) -> None:
    (idea,) = ideas(read(tmp_path, "dictd", dictd([("casa <n, f>", "a")], {"a": "casa <n, f>\nhouse\n"}), GERMAN))
    (other,) = meanings("casa <n, f>", "house")

    assert words(idea) == words(other) == [("de", "casa"), ("en", "house")]
    assert (idea.pos, idea.gender) == (other.pos, other.gender) == ("Common Noun", "Feminine")
