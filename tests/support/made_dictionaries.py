"""Dictionaries of all that records can hold, made by Hypothesis."""

import msgspec
from hypothesis import strategies as st

from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    WordRecord,
)

CODES = ("en", "as", "mni-Mtei", "mjw")
LETTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp", "Cn"))
LINE = st.text(LETTERS, min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)
TEXT = st.lists(LINE, min_size=1, max_size=3).map("\n".join)
MOMENT = st.integers(0, 4_000_000_000)
MAYBE = st.none() | LINE
NAMES = st.sampled_from(
    ["s:a", "s:b", "t:c", "s:mjw/0f2e1d3c-1111-4aaa-8bbb-000000000001/0f2e1d3c-1111-4aaa-8bbb-000000000002"]
)


def unique(values: st.SearchStrategy[str], most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, max_size=most, unique=True).map(tuple)


@st.composite
def words(draw: st.DrawFn, language: str, text: str) -> WordRecord:
    return WordRecord(
        language,
        text,
        roman=draw(MAYBE),
        ipa=draw(st.none() | st.sampled_from(["pani", "ˈwɔːtə"])),
        asm=draw(MAYBE),
        variant=draw(st.none() | st.just("Dialect")),
        origin=draw(st.none() | TEXT),
        plural=draw(MAYBE),
        definitive=draw(MAYBE),
        countable=draw(st.sampled_from((None, True, False))),
        frequency=draw(st.none() | st.floats(0, 1e6)),
        frequency_source=draw(MAYBE),
        reference=draw(st.none() | TEXT),
        note=draw(st.none() | TEXT),
        source=draw(st.none() | st.just("t")),
        position=draw(st.none() | st.integers(1, 9)),
        created=draw(MOMENT),
        updated=draw(MOMENT),
        added=draw(st.none() | MOMENT),
        licence=draw(st.none() | st.just("CC0-1.0")),
        forms=tuple(one for one in draw(unique(LINE, 2)) if one != text),
    )


@st.composite
def dictionaries(draw: st.DrawFn) -> list[Record]:
    spellings = st.tuples(st.sampled_from(CODES), LINE)
    # What belongs to a word is the same in all of its ideas.
    known = {
        spelling: draw(words(*spelling)) for spelling in draw(st.lists(spellings, min_size=1, max_size=4, unique=True))
    }
    found: list[Record] = []
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    for name in names:
        source, _, key = name.partition(":")
        mine = draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=3, unique=True))
        # The order among languages is not kept.
        definitions = sorted(
            draw(st.lists(st.tuples(st.sampled_from(["en", "as"]), TEXT), max_size=3, unique=True)),
            key=lambda one: one[0],
        )
        relations = [RelationRecord("Antonym", other) for other in names if other != name and draw(st.booleans())]
        created = draw(MOMENT)
        found.append(
            IdeaRecord(
                source,
                key,
                draw(st.none() | st.just("Common Noun")),
                tuple(msgspec.structs.replace(known[one], note=draw(st.none() | TEXT)) for one in mine),
                draw(st.none() | st.just("Feminine")),
                draw(st.none() | st.just("💧")),
                draw(unique(st.sampled_from(["Biology", "Bird"]), 2)),
                tuple(DefinitionRecord(*one) for one in definitions),
                tuple(
                    ExampleRecord(*one)
                    for one in draw(st.lists(st.tuples(st.sampled_from(CODES), TEXT, MAYBE), max_size=2))
                ),
                tuple(relations),
                created,
                draw(MOMENT),
                draw(st.none() | st.just("CC0-1.0")),
                draw(unique(st.sampled_from(["t:x", "t:y"]), 2)),
            )
        )
    used = {(word.language, word.text) for one in found if isinstance(one, IdeaRecord) for word in one.words}
    language, text = min(used)
    found.append(FormsRecord(language, text, (("waters", "PL"), ("watered", "PAST"))))
    found.append(
        PhraseRecord(
            "s", "p1", "as", draw(LINE), "Proverb", draw(st.none() | TEXT), draw(MAYBE), draw(st.none() | MOMENT)
        )
    )
    return found
