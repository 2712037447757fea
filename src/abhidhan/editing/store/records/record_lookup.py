"""Find the stored records of a record in an import file, by source and key or by language and text."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Select, select

from abhidhan.editing.store.records.edit_context import Edit
from abhidhan.editing.store.records.ideas import relation_id
from abhidhan.records.history import RecordName, RelationState
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord
from abhidhan.records.submission_payloads import FileRecord
from abhidhan.schema import card, card_set, idea, idea_alias, idea_relation, language, phrase, sense, source, word
from assamese.normalization import nfc, squeeze


def records_of(edit: Edit, record: FileRecord) -> list[RecordName]:
    """Return references to the existing records of a file's record, the main record first."""
    match record:
        case IdeaRecord():
            return list(_of_idea(edit, record))
        case PhraseRecord():
            return list(_of_phrase(edit, record))
        case CardSetRecord():
            return list(_of_cards(edit, record))
        case FormsRecord():
            word_id = _word_id(edit, record.language, record.text)
            return [RecordName("word", str(word_id))] if word_id is not None else []


def with_known_ideas(edit: Edit, record: FileRecord) -> FileRecord:
    """Remove references to missing ideas from a file's record: relations, and the ideas of cards."""
    match record:
        case IdeaRecord():
            related = tuple(one for one in record.relations if _is_there(edit, one.idea))
            return msgspec.structs.replace(record, relations=related)
        case CardSetRecord():
            cards = tuple(
                one if one.idea and _is_there(edit, one.idea) else msgspec.structs.replace(one, idea=None)
                for one in record.cards
            )
            return msgspec.structs.replace(record, cards=cards)
        case _:
            return record


def _is_there(edit: Edit, name: str) -> bool:
    return find_idea(edit, *name.split(":", 1)) is not None


def _of_idea(edit: Edit, record: IdeaRecord) -> Iterator[RecordName]:
    idea_id = find_idea(edit, record.source, record.key)
    if idea_id is not None:
        yield RecordName("idea", str(idea_id))
    for given in record.words:
        word_id = _word_id(edit, given.language, given.text)
        if word_id is None:
            continue
        yield RecordName("word", str(word_id))
        link = _first(edit, select(sense.c.id).where(sense.c.word_id == word_id, sense.c.idea_id == idea_id))
        if link is not None:
            yield RecordName("sense", str(link))
    if idea_id is not None:
        yield from _relations(edit, idea_id)


def _word_id(edit: Edit, code: str, text: str) -> int | None:
    of_language = select(word.c.id).join(language, language.c.id == word.c.language_id)
    return _first(edit, of_language.where(language.c.code == code, word.c.text == _clean(text)))


def find_idea(edit: Edit, code: str, key: str) -> int | None:
    """Find an idea by source and key, or the idea into which it was merged."""
    own = select(idea.c.id).join(source, source.c.id == idea.c.source_id)
    merged = select(idea_alias.c.idea_id).join(source, source.c.id == idea_alias.c.source_id)
    return _first(edit, own.where(source.c.code == code, idea.c.external_key == _clean(key))) or _first(
        edit, merged.where(source.c.code == code, idea_alias.c.external_key == _clean(key))
    )


def _relations(edit: Edit, idea_id: int) -> Iterator[RecordName]:
    columns = idea_relation.c.type_id, idea_relation.c.other_id
    for type_id, other_id in edit.connection.execute(select(*columns).where(idea_relation.c.idea_id == idea_id)):
        yield RecordName("relation", relation_id(RelationState(idea_id, type_id, other_id)))


def _of_phrase(edit: Edit, record: PhraseRecord) -> Iterator[RecordName]:
    by_key = select(phrase.c.id).join(source, source.c.id == phrase.c.source_id).where(source.c.code == record.source)
    by_text = select(phrase.c.id).join(language, language.c.id == phrase.c.language_id)
    found = _first(edit, by_key.where(phrase.c.external_key == _clean(record.key))) or _first(
        edit, by_text.where(language.c.code == record.language, phrase.c.text == _clean(record.text))
    )
    if found is not None:
        yield RecordName("phrase", str(found))


def _of_cards(edit: Edit, record: CardSetRecord) -> Iterator[RecordName]:
    of_source = select(card_set.c.id).join(source, source.c.id == card_set.c.source_id)
    set_id = _first(
        edit, of_source.where(source.c.code == record.source, card_set.c.external_key == _clean(record.key))
    )
    if set_id is None:
        return
    for given in record.cards:
        wanted = select(card.c.id).where(card.c.card_set_id == set_id, card.c.clue == _clean(given.clue))
        card_id = _first(edit, wanted)
        if card_id is not None:
            yield RecordName("card", str(card_id))
    yield RecordName("card_set", str(set_id))


def _first(edit: Edit, statement: Select[int]) -> int | None:
    return edit.connection.execute(statement).scalar()


def _clean(text: str) -> str:
    return squeeze(nfc(text))
