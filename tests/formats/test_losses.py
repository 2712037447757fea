"""Values of a file that no record holds."""

from abhidhan.formats.losses import find_losses
from abhidhan.records.import_records import LocatedRecord, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord

RECORD = IdeaRecord(
    "own",
    "1",
    "Common Noun",
    (WordRecord("as", "পানী", roman="pa.ni"), WordRecord("en", "water")),
    definitions=(DefinitionRecord("en", "A clear liquid, such as falls as rain"),),
)


VALUES = [
    ("পানী", True),
    (" Water ", True),
    ("falls as rain", True),
    ("(clear) liquid!", True),
    ("rai", False),
    ("pa.ni en", False),
    ("পান", False),
    ("sea", False),
    ("—", True),
    ("", True),
]


def test_a_value_is_lost_unless_a_record_holds_its_words() -> None:
    for value, is_held in VALUES:
        lost = list(find_losses("a.csv", 3, [("note", value)], [LocatedRecord("a.csv", 3, RECORD)]))

        assert lost == ([] if is_held else [UnstoredValue("a.csv", 3, "note", value)]), value

    assert [loss.field for loss in find_losses("a.csv", 3, [("word", "x"), ("note", "y")], [])] == ["word", "note"]
