import pytest

from assamese.analysis import Analysis, LexiconWord, MemoryLexicon, analyze_form, describe_features, universal_pos
from assamese.paradigms import Headword, WordKind
from assamese.sentence_analysis import analyze

VERB = frozenset({WordKind.TRANSITIVE})
NOUN = frozenset({WordKind.COMMON_NOUN})


def word(text: str, *parts_of_speech: str) -> LexiconWord:
    kinds = VERB if "VERB" in parts_of_speech else NOUN if "NOUN" in parts_of_speech else frozenset[WordKind]()
    return LexiconWord(Headword(text, kinds), parts_of_speech)


LEXICON = MemoryLexicon(
    (
        *(word(text, "VERB") for text in ("কৰা", "খোৱা", "যোৱা", "অহা", "দিয়া", "শুনা", "লিখা", "পৰা", "থকা", "খোলা")),
        *(word(text, "NOUN") for text in ("পানী", "মানুহ", "ভনী", "মা", "নাও", "ৰং", "ঘণ্টা", "গছ", "কলম")),
        word("মিঠা", "ADJ"),
    )
)


def written(analysis: Analysis) -> str:
    features = "|".join(f"{name}={value}" for name, value in analysis.features.items())
    return f"{analysis.lemma} {analysis.pos} {features}".strip()


FORMS = [
    ("পানীখিনিৰ", "পানী NOUN Case=Gen|Definite=Def"),
    ("মানুহবোৰলৈকে", "মানুহ NOUN Case=Ter|Number=Plur"),
    ("মানুহকেইজনক", "মানুহ NOUN Case=Acc|Number=Plur"),
    ("ভনীয়েকৰ", "ভনী NOUN Case=Gen|Person[psor]=3"),
    ("মাৰাই", "মা NOUN Case=Nom|Person[psor]=2"),
    ("নাৱেৰে", "নাও NOUN Case=Ins"),
    ("ৰঙৰ", "ৰং NOUN Case=Gen"),
    ("মানুহেই", "মানুহ NOUN Case=Nom"),
    ("মোকে", "মই PRON Case=Acc|Person=1|PronType=Prs"),
    ("সিহঁতৰ", "সি PRON Case=Gen|Number=Plur|Person=3|Polite=Infm|PronType=Prs"),
    ("দুটা", "দুই NUM NumType=Card"),
    ("এঘণ্টা", "ঘণ্টা NOUN NumType=Card"),
    ("মিঠাকৈ", "মিঠা ADV"),
    ("মিঠাতম", "মিঠা ADJ Degree=Sup"),
    ("কৰিছিলোঁ", "কৰা VERB Aspect=Perf|Mood=Ind|Person=1|Tense=Past|VerbForm=Fin"),
    ("খাওঁ", "খোৱা VERB Mood=Ind|Person=1|Tense=Pres|VerbForm=Fin"),
    ("গ'লি", "যোৱা VERB Mood=Ind|Person=2|Polite=Infm|Tense=Past|VerbForm=Fin"),
    ("নাহিলে", "অহা VERB Mood=Ind|Person=3|Polarity=Neg|Tense=Past|VerbForm=Fin"),
    ("খুলিবলৈ", "খোলা VERB VerbForm=Inf"),
    ("লিখিলোঁহেঁতেন", "লিখা VERB Mood=Cnd|Person=1|Tense=Past|VerbForm=Fin"),
    ("কৰিবলগীয়া", "কৰা VERB Mood=Nec|VerbForm=Part"),
    ("দিয়াচোন", "দিয়া VERB Mood=Imp|Person=2|VerbForm=Fin"),
    ("নিলিখাৰ", "লিখা VERB Case=Gen|Polarity=Neg|VerbForm=Vnoun"),
    ("আছিলোঁ", "আছ VERB Mood=Ind|Person=1|Tense=Past|VerbForm=Fin"),
    ("নোৱাৰে", "নোৱাৰা VERB Mood=Ind|Person=3|Polarity=Neg|Tense=Pres|VerbForm=Fin"),
    ("১৫", "১৫ NUM NumType=Card"),
]


@pytest.mark.parametrize(("form", "expected"), FORMS)
def test_the_best_analysis_of_a_form_names_its_lemma_and_features(form: str, expected: str) -> None:
    assert written(analyze_form(form, LEXICON)[0]) == expected


@pytest.mark.parametrize(
    ("form", "segments"),
    [
        ("পানীখিনিৰ", "পানী+খিনি+ৰ"),
        ("নাহিলে", "না+হ+িলে"),
        ("খুলিবলৈ", "খুল+িবলৈ"),
        ("মোক", "মোক"),
        ("দুটা", "দু+টা"),
        ("লিখিলোঁহেঁতেন", "লিখ+িলোঁ+হেঁতেন"),
    ],
)
def test_the_segments_of_a_form_make_it_up(form: str, segments: str) -> None:
    assert "+".join(segment.text for segment in analyze_form(form, LEXICON)[0].segments) == segments


@pytest.mark.parametrize(("form", "lemma", "pos"), [("কম্পিউটাৰবোৰত", "কম্পিউটাৰ", "NOUN"), ("ফোনাইছিলোঁ", "ফোনোৱা", "VERB")])
def test_an_unknown_stem_is_a_guess(form: str, lemma: str, pos: str) -> None:
    best = analyze_form(form, MemoryLexicon(()))[0]

    assert (best.lemma, best.pos, best.guess) == (lemma, pos, True)
    assert not any(each.guess for each in analyze_form("পানীখিনিৰ", LEXICON))


SENTENCES = [
    ("লিখি আছে", 1, "আছ AUX"),
    ("মানুহ আছে", 1, "আছ VERB"),
    ("খাব পাৰে", 0, "খোৱা VERB VerbForm=Inf"),
    ("খাব পাৰে", 1, "পৰা AUX"),
    ("লিখা নাই", 0, "লিখা VERB VerbForm=Part"),
    ("লিখা নাই", 1, "নাই AUX"),
    ("গ'লে খাম", 0, "যোৱা VERB Mood=Cnd|VerbForm=Conv"),
    ("এই মানুহ", 0, "এই DET"),
    ("এই।", 0, "এই PRON"),
    ("মানুহৰ পাছত", 1, "পাছত ADP"),
    ("পাছত খাম", 0, "পাছত ADV"),
]


@pytest.mark.parametrize(("text", "token", "expected"), SENTENCES)
def test_the_neighbours_of_a_word_choose_among_its_analyses(text: str, token: int, expected: str) -> None:
    assert written(analyze(text, LEXICON)[token].analyses[0]).startswith(expected)


def test_tokens_have_their_places_and_signs_are_punctuation() -> None:
    tokens = analyze("“গছ, ক'ত?” ল'ৰা-ছোৱালী।", LEXICON)

    assert [token.form for token in tokens] == ["“", "গছ", ",", "ক'ত", "?", "”", "ল'ৰা-ছোৱালী", "।"]
    assert [(token.start, token.end) for token in tokens[:3]] == [(0, 1), (1, 3), (3, 4)]
    assert tokens[0].analyses[0].pos == "PUNCT"
    assert analyze("water", LEXICON)[0].analyses == ()


def test_features_are_described_for_readers() -> None:
    best = analyze_form("কৰিছিলোঁ", LEXICON)[0]

    assert describe_features(best.features) == ("past progressive, first person", "পূৰ্ণ অতীত, প্ৰথম পুৰুষ")
    assert describe_features({"PronType": "Prs", "Person": "1"}) == ("", "")


def test_parts_of_speech_of_the_lists_have_universal_names() -> None:
    assert universal_pos("Common Noun", "Noun") == "NOUN"
    assert universal_pos("Proper Noun", "Noun") == "PROPN"
    assert universal_pos("Adverb", "Adjective/Adverb") == "ADV"
    assert universal_pos("Ideophone", None) == "X"
