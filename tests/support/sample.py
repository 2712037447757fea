"""A small dictionary with known contents: its words, proverbs and flashcards, written as records."""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)

T = TypeVar("T")

NOW = 1_790_000_000
"""The time at which the sample was loaded: 2026-09-21T13:33:20Z."""

SOURCE = SourceRecord(
    code="sample",
    name="Sample of the tests",
    licence="CC0-1.0",
    url="https://example.org/sample",
    attribution="The tests",
    notice="Only for tests.",
)

COMMON, PROPER, MATERIAL, ABSTRACT = "Common Noun", "Proper Noun", "Material Noun", "Abstract Noun"
ADJECTIVE, ADVERB, TRANSITIVE, INTRANSITIVE = "Adjective Adjective", "Adverb", "Transitive", "Intransitive"


class SampleIdea(NamedTuple):
    """An idea in one line: words are `language: word, word; language: ...`."""

    key: str
    pos: str
    words: str
    definition: str = ""
    gender: str | None = None
    contexts: tuple[str, ...] = ()
    glyph: str | None = None


SAMPLE_IDEAS = (
    SampleIdea(
        "water",
        MATERIAL,
        "as: পানী, জল; en: water; bn: জল, পানি; hi: पानी, जल; nag: pani; brx: दै",
        "A clear liquid that falls as rain and that all life needs",
        "Neuter",
        ("Water", "Nature"),
        "💧",
    ),
    SampleIdea(
        "fish", COMMON, "as: মাছ; en: fish; bn: মাছ; hi: मछली", "An animal that lives in water", None, ("Fish",), "🐟"
    ),
    SampleIdea(
        "word", COMMON, "as: শব্দ; en: word; bn: শব্দ; hi: शब्द", "The smallest part of speech that means something"
    ),
    SampleIdea("sound", COMMON, "as: শব্দ, ধ্বনি; en: sound; bn: শব্দ, ধ্বনি; hi: ध्वनि", "What is heard"),
    SampleIdea("assamese", PROPER, "as: অসমীয়া; en: Assamese; bn: অসমীয়া; hi: असमिया", "The language of Assam"),
    SampleIdea("of-assam", "Proper Adjective", "as: অসমীয়া; en: Assamese", "Of Assam or its people"),
    SampleIdea(
        "elephant",
        COMMON,
        "as: হাতী; en: elephant; bn: হাতি; hi: हाथी",
        "The largest animal on land; it has a trunk",
        "Common",
        ("Mammal",),
        "🐘",
    ),
    SampleIdea("black", ADJECTIVE, "as: ক’লা; en: black; bn: কালো; hi: काला", "Of the colour of coal", None, ("Colour",)),
    SampleIdea("deaf", ADJECTIVE, "as: কলা; en: deaf; hi: बहरा", "Who cannot hear"),
    SampleIdea(
        "art", ABSTRACT, "as: কলা; en: art; bn: কলা; hi: कला", "Skill in making what is beautiful", None, ("Culture",)
    ),
    SampleIdea("boy", COMMON, "as: ল’ৰা; en: boy; bn: ছেলে; hi: लड़का", "A male child", "Masculine", ("Kinship",), "👦"),
    SampleIdea(
        "girl", COMMON, "as: ছোৱালী; en: girl; bn: মেয়ে; hi: लड़की", "A female child", "Feminine", ("Kinship",), "👧"
    ),
    SampleIdea("forgiveness", ABSTRACT, "as: ক্ষমা; en: forgiveness; bn: ক্ষমা; hi: क्षमा"),
    SampleIdea(
        "bird", COMMON, "as: চৰাই; en: bird; bn: পাখি; hi: पक्षी, चिड़िया", "An animal that flies", None, ("Bird",), "🐦"
    ),
    SampleIdea("wing", COMMON, "as: পাখি, পাখী; en: wing; bn: ডানা; hi: पंख", "With what a bird flies", None, ("Anatomy",)),
    SampleIdea(
        "mango", COMMON, "as: আম; en: mango, Mangifera indica; bn: আম; hi: आम", "", None, ("Fruit", "Food"), "🥭"
    ),
    SampleIdea("sun", PROPER, "as: সূৰ্য, সূৰ্য্য, বেলি; en: sun; bn: সূর্য; hi: सूर्य, सूरज", "", None, ("Astronomy",), "☀"),
    SampleIdea("moon", PROPER, "as: জোন, চন্দ্ৰ; en: moon; bn: চাঁদ, চন্দ্র; hi: चाँद", "", None, ("Astronomy",)),
    SampleIdea("star", COMMON, "as: তৰা; en: star; bn: তারা; hi: तारा", "", None, ("Astronomy",), "⭐"),
    SampleIdea("mother", COMMON, "as: মা, আই; en: mother; bn: মা; hi: माँ", "", "Feminine", ("Kinship",)),
    SampleIdea("father", COMMON, "as: দেউতা, পিতা; en: father; bn: বাবা, পিতা; hi: पिता", "", "Masculine", ("Kinship",)),
    SampleIdea("red", ADJECTIVE, "as: ৰঙা; en: red; bn: লাল; hi: लाल", "Of the colour of blood", None, ("Colour",)),
    SampleIdea("white", ADJECTIVE, "as: বগা; en: white; bn: সাদা; hi: सफ़ेद", "Of the colour of snow", None, ("Colour",)),
    SampleIdea("mosquito", COMMON, "as: মহ; en: mosquito; bn: মশা; hi: मच्छर", "", None, ("Insect",), "🦟"),
    SampleIdea("buffalo", COMMON, "as: ম’হ; en: buffalo; bn: মহিষ; hi: भैंस", "", None, ("Mammal", "Livestock"), "🐃"),
    SampleIdea("mind", ABSTRACT, "as: মন; en: mind; bn: মন; hi: मन; nag: mon"),
    SampleIdea("eat", TRANSITIVE, "as: খা, খোৱা; en: eat; bn: খাওয়া; hi: खाना", "To take food"),
    SampleIdea("go", INTRANSITIVE, "as: যা, যোৱা; en: go; bn: যাওয়া; hi: जाना", "To move away"),
    SampleIdea("food", COMMON, "as: খাদ্য; en: food; bn: খাদ্য, খাবার; hi: खाना, भोजन", "What is eaten", None, ("Food",)),
    SampleIdea("seven", ADJECTIVE, "as: সাত; en: seven; bn: সাত; hi: सात", "One more than six", None, ("Number",)),
    SampleIdea("hand", COMMON, "as: হাত; en: hand; bn: হাত; hi: हाथ", "", None, ("Anatomy",), "✋"),
    SampleIdea("tomorrow", ADVERB, "as: কাইলৈ; en: tomorrow; bn: আগামীকাল; hi: कल", "On the next day", None, ("Time",)),
    SampleIdea("yesterday", ADVERB, "as: কালি; en: yesterday; bn: গতকাল; hi: कल", "On the day before", None, ("Time",)),
    SampleIdea("suddenly", ADVERB, "as: হঠাৎ; en: suddenly; bn: হঠাৎ; hi: अचानक"),
    SampleIdea("and", "Conjunction", "as: আৰু; en: and; bn: এবং, আর; hi: और"),
    SampleIdea("tea", MATERIAL, "as: চাহ; en: tea; bn: চা; hi: चाय", "", None, ("Food",), "☕"),
    SampleIdea("rice", MATERIAL, "as: ভাত; en: boiled rice; bn: ভাত; hi: भात, चावल", "", None, ("Food",), "🍚"),
    SampleIdea("drinking-water", MATERIAL, "as: খোৱা পানী; en: drinking water; bn: পানীয় জল", "", None, ("Water",)),
    SampleIdea("hot-water", MATERIAL, "as: গৰম পানী; en: hot water; bn: গরম জল; hi: गरम पानी"),
    SampleIdea("state", COMMON, "as: ৰাজ্য; en: state; bn: রাজ্য; hi: राज्य", "", None, ("Administration",)),
    SampleIdea("assam", PROPER, "as: অসম; en: Assam; bn: আসাম, অসম; hi: असम", "", None, ("Place",)),
    SampleIdea("language", COMMON, "as: ভাষা; en: language; bn: ভাষা; hi: भाषा", "", None, ("Language",)),
    SampleIdea("thanks", "Interjection", "as: ধন্যবাদ; en: thank you; bn: ধন্যবাদ; hi: धन्यवाद"),
    SampleIdea("garo", PROPER, "en: Garo; grt: A·chik", "The people of the Garo Hills"),
    SampleIdea(
        "animal", COMMON, "as: জন্তু, প্ৰাণী; en: animal; bn: প্রাণী; hi: जानवर", "What lives and moves", None, ("Zoology",)
    ),
)

WORDS = {
    ("as", "পানী"): WordRecord("as", "পানী", roman="pa.ni", origin="সং. পানীয়", definitive="-খিনি", reference="হেমকোষ"),
    ("as", "শব্দ"): WordRecord("as", "শব্দ", roman="xob.do"),
    ("as", "হাতী"): WordRecord("as", "হাতী", plural="-বোৰ", definitive="-টো"),
    ("as", "পাখী"): WordRecord("as", "পাখী", variant="Common misspelling"),
    ("as", "সূৰ্য্য"): WordRecord("as", "সূৰ্য্য", variant="Old spelling"),
    ("as", "খা"): WordRecord("as", "খা", forms=("খাওঁ", "খায়", "খালোঁ")),
    ("en", "water"): WordRecord("en", "water", ipa="ˈwɔːtə", asm="ৱাটাৰ"),
    ("en", "Mangifera indica"): WordRecord("en", "Mangifera indica", variant="Scientific name"),
    ("en", "eat"): WordRecord("en", "eat", forms=("ate", "eaten", "eating")),
    ("en", "go"): WordRecord("en", "go", forms=("went", "gone")),
}
"""Properties of words, apart from their spelling."""

DEFINITIONS = {
    "water": DefinitionRecord("as", "জীৱৰ বাবে অতি প্ৰয়োজনীয় তৰল পদাৰ্থ।"),
    "fish": DefinitionRecord("as", "পানীত থকা জন্তু।"),
}
"""Definitions in Assamese; those in English are part of the entries."""

EXAMPLES = {
    "water": ExampleRecord("as", "মই পানী খাওঁ।", "I drink water."),
    "elephant": ExampleRecord("as", "হাতীটো ক’লা।", "The elephant is black."),
    "fish": ExampleRecord("en", "We eat fish and rice.", "আমি মাছ-ভাত খাওঁ।"),
}

RELATIONS = {
    "black": RelationRecord("Antonym", "sample:white"),
    "boy": RelationRecord("Feminine counterpart", "sample:girl"),
    "father": RelationRecord("Feminine counterpart", "sample:mother"),
    "elephant": RelationRecord("Hypernym", "sample:animal"),
    "fish": RelationRecord("Hypernym", "sample:animal"),
    "drinking-water": RelationRecord("Hypernym", "sample:water"),
    "wing": RelationRecord("Holonym", "sample:bird"),
    "yesterday": RelationRecord("Antonym", "sample:tomorrow"),
}

FOKORA, DAK, RIDDLE = "Fokora (ফকৰা)", "Dakor bosona (ডাকৰ বচন)", "Xathor (সাঁথৰ)"

# Traditional sayings; spelling as in P. R. T. Gurdon's collection, slightly modernised, with free translations.
PHRASES = (
    ("g5", "নগৈ গড়গাঁৱৰ বতৰা কয়", FOKORA, "Tells the news of the capital without having gone there."),
    ("g21", "হাড় নাইকিয়া জিভা, কয় কিবা কিবা", FOKORA, "A boneless tongue says anything."),
    ("g29", "আৰৈতকৈ উখুৱাৰ খচ্‌খচনি টান", FOKORA, "The lesser person is more importunate than the better."),
    ("g65", "আপোনাৰ মন যেনে, আটাইকে দেখে তেনে", FOKORA, "One judges all others by oneself."),
    ("g134", "ভাতৰ তিতা খাবলৈ ভাল, মাতৰ তিতা খাবলৈ টান", FOKORA, "Bitter food can be eaten, bitter words cannot."),
    ("g223", "চোৰে নিয়া গৰুৰ বাটে বাটে ঘাঁহ", FOKORA, "A stolen cow finds grass along the road."),
    ("g276", "এটা নিগনিৰ সাতখন পাম", FOKORA, "One mouse has seven farms."),
    ("g286", "গুৰি পৰুৱাৰ অলপ বৰষুণেই বান", FOKORA, "A little rain is a flood to the ant."),
    ("g264", "নিতৌ চাওঁনে টাটি", DAK, "A fence always needs watching."),
    ("g274", "শুঁৰ আছে হাতী নহয়, মানুহ গৰু খায় বাঘ নহয়", RIDDLE, "A riddle: the mosquito."),
)

CARD_SETS = (
    CardSetRecord(
        "sample",
        "animals",
        "Animals",
        "as",
        "en",
        "Animals of Assam",
        (
            CardRecord("হাতী", "elephant", None, "🐘", "sample:elephant"),
            CardRecord("মাছ", "fish", None, "🐟", "sample:fish"),
            CardRecord("ম’হ", "buffalo", None, "🐃", "sample:buffalo"),
            CardRecord("চৰাই", "bird", "so.rai", "🐦", "sample:bird"),
        ),
    ),
    CardSetRecord(
        "sample",
        "colours",
        "Colours",
        "as",
        "en",
        None,
        (
            CardRecord("ক’লা", "black", None, None, "sample:black"),
            CardRecord("বগা", "white", None, None, "sample:white"),
            CardRecord("ৰঙা", "red"),
        ),
    ),
)


def sample_records() -> Iterator[LocatedRecord | RecordError]:
    """Yield the records of the sample, after the program's own languages, lists and sources."""
    yield from read_catalogue_records()
    records: tuple[Record, ...] = (SOURCE, *map(_make_idea, SAMPLE_IDEAS), *map(_make_phrase, PHRASES), *CARD_SETS)
    for line, record in enumerate(records, 1):
        yield LocatedRecord("sample", line, record)


def _make_idea(entry: SampleIdea) -> IdeaRecord:
    english = (DefinitionRecord("en", entry.definition + "."),) if entry.definition else ()
    return IdeaRecord(
        source="sample",
        key=entry.key,
        pos=entry.pos,
        words=tuple(_parse_words(entry.words)),
        gender=entry.gender,
        glyph=entry.glyph,
        contexts=entry.contexts,
        definitions=(*english, *_optional_item(DEFINITIONS, entry.key)),
        examples=_optional_item(EXAMPLES, entry.key),
        relations=_optional_item(RELATIONS, entry.key),
    )


def _parse_words(line: str) -> Iterator[WordRecord]:
    for part in line.split("; "):
        language, _, words = part.partition(": ")
        for word in words.split(", "):
            yield WORDS.get((language, word), WordRecord(language, word))


def _make_phrase(row: tuple[str, str, str, str]) -> PhraseRecord:
    key, text, category, meaning = row
    return PhraseRecord("sample", key, "as", text, category, meaning)


def _optional_item(table: dict[str, T], key: str) -> tuple[T, ...]:
    return (table[key],) if key in table else ()
