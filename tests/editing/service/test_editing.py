"""Editing as a service: what files bring again after editors have merged ideas, and cards that change places."""

from sqlalchemy import update

from abhidhan import schema
from abhidhan.dictionary.service import browse, cards
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.history import CardState, IdeaState, RecordRef
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    IdeaRecord,
    Record,
    RelationRecord,
    WordRecord,
)
from abhidhan.records.lookup_lists import ListName
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import load_sample
from tests.support.sample import NOW, SOURCE


def import_again(database: Database, *records: Record) -> dict[str, int]:
    placed = (LocatedRecord("again", line, each) for line, each in enumerate((SOURCE, *records), 1))
    loaded = import_records(database, placed, now=NOW + 1)
    assert not loaded.errors, loaded.errors
    return loaded.counts


def idea_of(database: Database, key: str, word: str) -> int:
    """Make an idea of its own with one word, and find its ID."""
    import_again(database, IdeaRecord("sample", key, "Common Noun", (WordRecord("as", word),)))
    found = database.read_now(lambda reader: browse.list_page(reader, word, LanguageParam("as"), 10, 0))
    return next(meaning.idea_id for each in found.items if each.word == word for meaning in each.meanings)


def words_of(database: Database, idea_id: int) -> set[str]:
    return {each.word for each in database.read_now(lambda reader: browse.get_idea(reader, idea_id)).words}


def test_reimported_records_of_a_merged_idea_update_the_remaining_idea(database: Database) -> None:
    load_sample(database)
    kept, gone = idea_of(database, "kept", "ৰখাটো"), idea_of(database, "gone", "যোৱাটো")
    other = idea_of(database, "other", "আনটো")
    editing = Editing(database)
    run(editing.merge(EDITOR, kept, gone))

    import_again(
        database,
        IdeaRecord(
            "sample",
            "gone",
            "Common Noun",
            (WordRecord("as", "যোৱাটো"), WordRecord("as", "নতুনটো")),
            definitions=(DefinitionRecord("en", "Brought again."),),
        ),
        IdeaRecord("sample", "kept", "Common Noun", (WordRecord("as", "নতুনটো"),)),
        IdeaRecord(
            "sample",
            "other",
            "Common Noun",
            (WordRecord("as", "আনটো"),),
            relations=(RelationRecord("Related", "sample:gone"),),
        ),
        CardSetRecord(
            "sample", "merged", "Merged", "as", "en", None, (CardRecord("যোৱাটো", "gone", None, None, "sample:gone"),)
        ),
    )

    idea = database.read_now(lambda reader: browse.get_idea(reader, kept))
    assert words_of(database, kept) == {"ৰখাটো", "যোৱাটো", "নতুনটো"}
    assert [each.text for each in idea.definitions] == ["Brought again."]
    assert other in {relation.idea_id for relation in idea.relations}
    sets = database.read_now(cards.list_card_sets)
    merged = next(each.id for each in sets if each.name == "Merged")
    assert [each.idea_id for each in database.read_now(lambda reader: cards.list_cards(reader, merged))] == [kept]


def test_ideas_that_were_merged_twice_are_still_found_and_can_be_separated_again(database: Database) -> None:
    load_sample(database)
    first, second, third = (idea_of(database, key, word) for key, word in (("a", "কখগ"), ("b", "ঘঙচ"), ("c", "ছজঝ")))
    editing = Editing(database)
    run(editing.merge(EDITOR, second, first))
    last = run(editing.merge(EDITOR, third, second))

    import_again(database, IdeaRecord("sample", "a", "Common Noun", (WordRecord("as", "টঠড"),)))
    assert words_of(database, third) == {"কখগ", "ঘঙচ", "ছজঝ", "টঠড"}
    state = last.state
    assert isinstance(state, IdeaState)
    assert sorted(key for _, key in state.aliases) == ["a", "b"]

    apart = run(editing.read(EDITOR, RecordRef("idea", str(third))))
    run(editing.undo(EDITOR, last.version))
    parted = run(editing.read(EDITOR, RecordRef("idea", str(third)))).state
    assert apart.state != parted
    assert isinstance(parted, IdeaState)
    assert parted.aliases == ()
    again = run(editing.read(EDITOR, RecordRef("idea", str(second)))).state
    assert isinstance(again, IdeaState)
    assert [key for _, key in again.aliases] == ["a"]


def test_cards_can_be_moved_to_both_ends_and_keep_consecutive_positions(database: Database) -> None:
    load_sample(database)
    editing = Editing(database)
    before = [each.id for each in database.read_now(lambda reader: cards.list_cards(reader, 1))]

    moved = run(editing.move_card(EDITOR, before[0], 99))

    after = [each.id for each in database.read_now(lambda reader: cards.list_cards(reader, 1))]
    assert after == [*before[1:], before[0]]
    assert moved.record == "card_set:1"
    places = []
    for card_id in after:
        state = run(editing.read(EDITOR, RecordRef("card", str(card_id)))).state
        assert isinstance(state, CardState)
        places.append(state.position)
    assert places == [1, 2, 3, 4]
    run(editing.undo(EDITOR, moved.version))
    assert [each.id for each in database.read_now(lambda reader: cards.list_cards(reader, 1))] == before


def test_renaming_a_part_of_speech_can_be_undone_after_an_upgrade_has_added_its_code(database: Database) -> None:
    load_sample(database)
    editing, item = Editing(database), schema.list_item
    adverb = (item.c.list == "POS", item.c.id == 10)

    def give(code: str | None) -> None:
        database.write_now(lambda connection: connection.execute(update(item).where(*adverb).values(short=code)))

    give(None)
    renamed = run(editing.rename_list_value(EDITOR, ListName.PARTS_OF_SPEECH, 10, "How"))
    give("ADV")
    run(editing.undo(EDITOR, renamed.version))

    found = database.read_now(lambda reader: reader.catalogue.find_item_by_id(ListName.PARTS_OF_SPEECH, 10))
    assert found
    assert (found.value, found.code, found.short) == ("Adverb", "Adjective/Adverb", "ADV")
