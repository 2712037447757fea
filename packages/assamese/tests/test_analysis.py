import pytest

from assamese.analysis import Analysis, LexiconWord, MemoryLexicon, analyze_form, describe_features, universal_pos
from assamese.paradigms import Headword, Label, WordKind
from assamese.sentence_analysis import analyze

VERB = frozenset({WordKind.TRANSITIVE})
NOUN = frozenset({WordKind.COMMON_NOUN})


def lexicon_word(text: str, *parts_of_speech: str) -> LexiconWord:
    kinds = VERB if "VERB" in parts_of_speech else NOUN if "NOUN" in parts_of_speech else frozenset[WordKind]()
    return LexiconWord(Headword(text, kinds), parts_of_speech)


LEXICON = MemoryLexicon(
    (
        *(lexicon_word(text, "VERB") for text in ("কৰা", "খোৱা", "যোৱা", "অহা", "দিয়া", "শুনা", "লিখা", "পৰা", "থকা", "খোলা")),
        *(lexicon_word(text, "NOUN") for text in ("পানী", "মানুহ", "ভনী", "মা", "নাও", "ৰং", "ঘণ্টা", "গছ", "কলম")),
        lexicon_word("মিঠা", "ADJ"),
    )
)


def describe_analysis(analysis: Analysis) -> str:
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


def test_the_best_analysis_of_a_form_names_its_lemma_and_features(subtests: pytest.Subtests) -> None:
    for form, expected in FORMS:
        with subtests.test(form):
            assert describe_analysis(analyze_form(form, LEXICON)[0]) == expected


def test_the_best_analysis_splits_a_form_into_segments() -> None:
    for form, segments in [
        ("পানীখিনিৰ", "পানী+খিনি+ৰ"),
        ("নাহিলে", "না+হ+িলে"),
        ("খুলিবলৈ", "খুল+িবলৈ"),
        ("মোক", "মোক"),
        ("দুটা", "দু+টা"),
        ("লিখিলোঁহেঁতেন", "লিখ+িলোঁ+হেঁতেন"),
    ]:
        assert "+".join(segment.text for segment in analyze_form(form, LEXICON)[0].segments) == segments


def test_an_analysis_with_an_unknown_stem_is_marked_as_a_guess() -> None:
    for form, lemma, pos in [("কম্পিউটাৰবোৰত", "কম্পিউটাৰ", "NOUN"), ("ফোনাইছিলোঁ", "ফোনোৱা", "VERB")]:
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


def test_the_neighbours_of_a_word_decide_its_best_analysis(subtests: pytest.Subtests) -> None:
    for text, token, expected in SENTENCES:
        with subtests.test(f"{text}, {token}"):
            assert describe_analysis(analyze(text, LEXICON)[token].analyses[0]).startswith(expected)


def test_tokens_have_positions_and_signs_are_punctuation() -> None:
    tokens = analyze("“গছ, ক'ত?” ল'ৰা-ছোৱালী।", LEXICON)

    assert [token.form for token in tokens] == ["“", "গছ", ",", "ক'ত", "?", "”", "ল'ৰা-ছোৱালী", "।"]
    assert [(token.start, token.end) for token in tokens[:3]] == [(0, 1), (1, 3), (3, 4)]
    assert tokens[0].analyses[0].pos == "PUNCT"
    assert analyze("water", LEXICON)[0].analyses == ()


def test_features_are_described_for_readers() -> None:
    best = analyze_form("কৰিছিলোঁ", LEXICON)[0]

    assert describe_features(best.features) == Label("past progressive, first person", "পূৰ্ণ অতীত, প্ৰথম পুৰুষ")
    assert describe_features({"PronType": "Prs", "Person": "1"}) == Label("", "")


def test_parts_of_speech_of_the_dictionary_have_universal_names() -> None:
    assert universal_pos("Common Noun", "Noun") == "NOUN"
    assert universal_pos("Proper Noun", "Noun") == "PROPN"
    assert universal_pos("Adverb", "Adjective/Adverb") == "ADV"
    assert universal_pos("Ideophone", None) == "X"
