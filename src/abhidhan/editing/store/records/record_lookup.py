"""Lookup of the stored records for a record of an import file, by source and key or by language and text."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Select, select

from abhidhan.editing.store.records.edit_context import EditContext
from abhidhan.editing.store.records.ideas import format_relation_id
from abhidhan.records.history import RecordRef, RelationState
from abhidhan.records.kinds import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord
from abhidhan.records.submission_payloads import FileRecord
from abhidhan.schema import card, card_set, idea, idea_alias, idea_relation, language, phrase, sense, source, word
from assamese.normalization import collapse_whitespace, nfc


def find_records(context: EditContext, record: FileRecord) -> list[RecordRef]:
    """Return references to the stored records that a file's record describes, the main record first."""
    match record:
        case IdeaRecord():
            return list(_iter_idea_records(context, record))
        case PhraseRecord():
            return list(_iter_phrase_records(context, record))
        case CardSetRecord():
            return list(_iter_card_records(context, record))
        case FormsRecord():
            word_id = _find_word_id(context, record.language, record.text)
            return [RecordRef("word", str(word_id))] if word_id is not None else []


def drop_missing_ideas(context: EditContext, record: FileRecord) -> FileRecord:
    """Remove references to ideas that do not exist from a file's record: relations, and the ideas of cards."""
    match record:
        case IdeaRecord():
            related = tuple(item for item in record.relations if _idea_exists(context, item.idea))
            return msgspec.structs.replace(record, relations=related)
        case CardSetRecord():
            cards = tuple(
                item if item.idea and _idea_exists(context, item.idea) else msgspec.structs.replace(item, idea=None)
                for item in record.cards
            )
            return msgspec.structs.replace(record, cards=cards)
        case _:
            return record


def _idea_exists(context: EditContext, reference: str) -> bool:
    return find_idea(context, *reference.split(":", 1)) is not None


def _iter_idea_records(context: EditContext, record: IdeaRecord) -> Iterator[RecordRef]:
    idea_id = find_idea(context, record.source, record.key)
    if idea_id is not None:
        yield RecordRef("idea", str(idea_id))
    for word_record in record.words:
        word_id = _find_word_id(context, word_record.language, word_record.text)
        if word_id is None:
            continue
        yield RecordRef("word", str(word_id))
        link = _fetch_first(context, select(sense.c.id).where(sense.c.word_id == word_id, sense.c.idea_id == idea_id))
        if link is not None:
            yield RecordRef("sense", str(link))
    if idea_id is not None:
        yield from _iter_relations(context, idea_id)


def _find_word_id(context: EditContext, code: str, text: str) -> int | None:
    of_language = select(word.c.id).join(language, language.c.id == word.c.language_id)
    return _fetch_first(context, of_language.where(language.c.code == code, word.c.text == _normalize(text)))


def find_idea(context: EditContext, code: str, key: str) -> int | None:
    """Find an idea by source and key, or the idea into which it was merged."""
    by_key = select(idea.c.id).join(source, source.c.id == idea.c.source_id)
    by_alias = select(idea_alias.c.idea_id).join(source, source.c.id == idea_alias.c.source_id)
    return _fetch_first(
        context, by_key.where(source.c.code == code, idea.c.external_key == _normalize(key))
    ) or _fetch_first(context, by_alias.where(source.c.code == code, idea_alias.c.external_key == _normalize(key)))


def _iter_relations(context: EditContext, idea_id: int) -> Iterator[RecordRef]:
    columns = idea_relation.c.type_id, idea_relation.c.other_id
    for type_id, other_id in context.connection.execute(select(*columns).where(idea_relation.c.idea_id == idea_id)):
        yield RecordRef("relation", format_relation_id(RelationState(idea_id, type_id, other_id)))


def _iter_phrase_records(context: EditContext, record: PhraseRecord) -> Iterator[RecordRef]:
    by_key = select(phrase.c.id).join(source, source.c.id == phrase.c.source_id).where(source.c.code == record.source)
    by_text = select(phrase.c.id).join(language, language.c.id == phrase.c.language_id)
    phrase_id = _fetch_first(context, by_key.where(phrase.c.external_key == _normalize(record.key))) or _fetch_first(
        context, by_text.where(language.c.code == record.language, phrase.c.text == _normalize(record.text))
    )
    if phrase_id is not None:
        yield RecordRef("phrase", str(phrase_id))


def _iter_card_records(context: EditContext, record: CardSetRecord) -> Iterator[RecordRef]:
    of_source = select(card_set.c.id).join(source, source.c.id == card_set.c.source_id)
    set_id = _fetch_first(
        context, of_source.where(source.c.code == record.source, card_set.c.external_key == _normalize(record.key))
    )
    if set_id is None:
        return
    for card_record in record.cards:
        statement = select(card.c.id).where(card.c.card_set_id == set_id, card.c.clue == _normalize(card_record.clue))
        card_id = _fetch_first(context, statement)
        if card_id is not None:
            yield RecordRef("card", str(card_id))
    yield RecordRef("card_set", str(set_id))


def _fetch_first(context: EditContext, statement: Select[int]) -> int | None:
    return context.connection.execute(statement).scalar()


def _normalize(text: str) -> str:
    return collapse_whitespace(nfc(text))
