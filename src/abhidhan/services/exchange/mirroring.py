"""Making the dictionary what a file of it is: each record is changed or deleted, with its entry of the history.

What is new in the file is brought by an import. People and what they sent, photos and recordings stay.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final

import msgspec

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.comparing import is_same, name_of
from abhidhan.domain.file_reading import Names
from abhidhan.domain.history import (
    Action,
    CardSetState,
    CardState,
    IdeaState,
    PhraseState,
    RecordName,
    SenseState,
    WordState,
)
from abhidhan.domain.incoming import NewIdea, NewWord, new_card_set, new_idea, new_phrase
from abhidhan.domain.people import Person, Role
from abhidhan.domain.records import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord, Record
from abhidhan.domain.records.fields import columns
from abhidhan.domain.records.idea import IDEA_ROW
from abhidhan.domain.records.phrase import PHRASE
from abhidhan.domain.records.word import DETAILS
from abhidhan.domain.text.keys import exact_key
from abhidhan.errors import ConflictError, InputError
from abhidhan.services.editing import open_editor
from abhidhan.services.editing.cards import delete_card_set
from abhidhan.services.editing.editor import Editor
from abhidhan.services.editing.ideas import delete_idea
from abhidhan.services.editing.records import delete_phrase
from abhidhan.services.editing.words import delete_sense
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.history import Entry
from abhidhan.storage.named_records import id_of, set_times, undone_by_conflicts
from abhidhan.storage.records import cards, ideas, words

AT_ONCE: Final = 100
"""How many records are changed in one transaction, for which other writers wait."""

THE_IMPORT: Final = Person(0, "import", Role.EDITOR, None, 0, None)
"""Who edits here: nobody who has an account, so that no entry of the history names anybody."""

Named = IdeaRecord | PhraseRecord | CardSetRecord | FormsRecord

Sides = tuple[Named, Record | None]
"""A record of the dictionary, and what the file has under its name; None: nothing."""

FormsOf = Callable[[str, str], FormsRecord | None]
"""Returns what the file says of the inflected forms of a word, by the code of its language and its text."""

KINDS: Final = {
    IdeaRecord: ("idea", Action.IDEA_EDITED, Action.IDEA_DELETED, delete_idea),
    PhraseRecord: ("phrase", Action.PROVERB_EDITED, Action.PROVERB_DELETED, delete_phrase),
    CardSetRecord: ("card_set", Action.CARD_EDITED, Action.CARD_DELETED, delete_card_set),
}
"""How records are changed and deleted: the kind, the actions of the history, and the step that deletes one."""


def mirror(
    database: Database,
    sides: Iterable[tuple[Record, Record | None]],
    forms_of: FormsOf,
    *,
    now: int,
    on_kept: Callable[[str], None],
) -> None:
    """Change and delete records until they are as the file has them. `on_kept` hears of what cannot be deleted."""
    catalogue = database.read_now(lambda reader: reader.catalogue)
    different = _different(sides)
    while some := list(islice(different, AT_ONCE)):
        job = partial(_mirror_some, catalogue=catalogue, some=some, forms_of=forms_of, now=now)
        for each in database.write_now(job):
            on_kept(each)


def _different(sides: Iterable[tuple[Record, Record | None]]) -> Iterator[Sides]:
    for here, given in sides:
        if isinstance(here, Named) and (given is None or not is_same(here, given)):
            yield here, given


def _mirror_some(
    connection: Writer, *, catalogue: Catalogue, some: Iterable[Sides], forms_of: FormsOf, now: int
) -> list[str]:
    refused = []
    names = Names(catalogue, is_measured=False)
    for here, given in some:
        editor = open_editor(connection, catalogue, THE_IMPORT, now)
        try:
            with undone_by_conflicts(connection):
                _mirror_one(editor, names, here, given, forms_of)
        except (ConflictError, InputError) as error:
            refused.append(f"{name_of(here)} stays: {error}")
    return refused


def _mirror_one(editor: Editor, names: Names, here: Named, given: Record | None, forms_of: FormsOf) -> None:
    if isinstance(here, FormsRecord):
        _mirror_forms(editor, names, here, given)
        return
    kind, changing, deleting, delete = KINDS[type(here)]
    record_id = id_of(editor.edit.connection, kind, here.source, here.key)
    if record_id is None:
        return
    name = RecordName(kind, str(record_id))
    match given:
        case IdeaRecord():
            _mirror_idea(editor, name, new_idea(given, names), forms_of)
        case PhraseRecord():
            _mirror_phrase(editor, name, given, names)
        case CardSetRecord():
            _mirror_set(editor, name, given, names)
        case _:
            delete(editor, name)
    if not editor.ledger.is_empty:
        editor.ledger.commit(Entry(changing if given else deleting, None, editor.now, name))
    if isinstance(given, IdeaRecord):
        _set_times(editor, name, new_idea(given, names))


def _mirror_forms(editor: Editor, names: Names, here: FormsRecord, given: Record | None) -> None:
    """Change which inflected forms of a word are known for what they are."""
    word_id = words.find_word(editor.edit, names.languages[here.language], here.text)
    name = RecordName("word", str(word_id))
    state = editor.ledger.current(name) if word_id else None
    if isinstance(state, WordState):
        plain = {key: tag for key, tag in state.forms if not tag}
        tagged = {exact_key(form): tag for form, tag in given.forms} if isinstance(given, FormsRecord) else {}
        editor.ledger.put(name, msgspec.structs.replace(state, forms=tuple(sorted((plain | tagged).items()))))
    if not editor.ledger.is_empty:
        editor.ledger.commit(Entry(Action.WORD_EDITED, None, editor.now, name))


# --- ideas ------------------------------------------------------------------------------------------------------------


def _mirror_idea(editor: Editor, name: RecordName, given: NewIdea, forms_of: FormsOf) -> None:
    state = editor.ledger.current(name)
    if not isinstance(state, IdeaState):
        return
    told: dict[str, Any] = {column: getattr(given, column) for column in columns(IDEA_ROW)}
    after = msgspec.structs.replace(
        state,
        **told,
        contexts=tuple(sorted(given.contexts)),
        definitions=given.definitions,
        examples=given.examples,
        aliases=tuple(sorted(given.aliases)),
        licence=given.licence,
    )
    editor.ledger.put(name, after)
    _mirror_words(editor, name, given, forms_of)
    _mirror_relations(editor, name, given)


def _mirror_words(editor: Editor, name: RecordName, given: NewIdea, forms_of: FormsOf) -> None:
    wanted = {(one.language_id, one.text): one for one in given.words}
    for sense_id, link in words.senses_of_idea(editor.edit, name.number).items():
        word_name, sense_name = RecordName("word", str(link.word_id)), RecordName("sense", sense_id)
        state = editor.ledger.current(word_name)
        one = wanted.get((state.language_id, state.text)) if isinstance(state, WordState) else None
        if one is None or not isinstance(state, WordState):
            delete_sense(editor, sense_name)
        else:
            editor.ledger.put(word_name, _word_as_given(state, one, forms_of))
            editor.ledger.put(sense_name, _link_as_given(link, one, given))


def _word_as_given(state: WordState, one: NewWord, forms_of: FormsOf) -> WordState:
    tagged = forms_of(one.language, one.text)
    forms = {key: "" for form in one.forms if (key := exact_key(form))}
    forms |= {exact_key(form): tag for form, tag in (tagged.forms if tagged else ())}
    told: dict[str, Any] = {column: getattr(one, column) for column in columns(DETAILS)}
    return msgspec.structs.replace(state, **told, forms=tuple(sorted(forms.items())))


def _link_as_given(link: SenseState, one: NewWord, given: NewIdea) -> SenseState:
    return msgspec.structs.replace(
        link,
        position=one.position or 1,
        reference=one.reference,
        note=one.note,
        # A link without a source is one that was made here, which the file calls a source too.
        source_id=link.source_id and (one.source_id or given.source_id),
        licence=one.licence,
    )


def _mirror_relations(editor: Editor, name: RecordName, given: NewIdea) -> None:
    wanted = {
        (one.type_id, id_of(editor.edit.connection, "idea", one.other.source, one.other.key)) for one in given.relations
    }
    for relation in ideas.relations_of(editor.edit, name.number):
        if (relation.type_id, relation.other_id) not in wanted:
            editor.ledger.put(RecordName("relation", ideas.relation_id(relation)), None)


def _set_times(editor: Editor, name: RecordName, given: NewIdea) -> None:
    connection = editor.edit.connection
    set_times(connection, "idea", name.number, {"created": given.created, "updated": given.updated})
    for sense_id, link in words.senses_of_idea(editor.edit, name.number).items():
        state = editor.ledger.current(RecordName("word", str(link.word_id)))
        for one in given.words:
            if isinstance(state, WordState) and (one.language_id, one.text) == (state.language_id, state.text):
                set_times(connection, "word", link.word_id, {"created": one.created, "updated": one.updated})
                set_times(connection, "sense", int(sense_id), {"added": one.added})


# --- proverbs and flashcards ------------------------------------------------------------------------------------------


def _mirror_phrase(editor: Editor, name: RecordName, record: PhraseRecord, names: Names) -> None:
    state, given = editor.ledger.current(name), new_phrase(record, names)
    if isinstance(state, PhraseState):
        told: dict[str, Any] = {column: getattr(given, column) for column in columns(PHRASE)}
        added = state.added if given.added is None else given.added
        after = msgspec.structs.replace(
            state, **told, language_id=given.language_id, licence=given.licence, added=added
        )
        editor.ledger.put(name, after)


def _mirror_set(editor: Editor, name: RecordName, record: CardSetRecord, names: Names) -> None:
    state, given = editor.ledger.current(name), new_card_set(record, names)
    if not isinstance(state, CardSetState):
        return
    editor.ledger.put(name, msgspec.structs.replace(state, name=given.name, description=given.description))
    wanted = [
        CardState(
            name.number,
            position,
            one.clue,
            one.answer,
            one.roman,
            id_of(editor.edit.connection, "idea", one.idea.source, one.idea.key) if one.idea else None,
            one.picture,
        )
        for position, one in enumerate(given.cards, 1)
    ]
    there = list(cards.cards_of_set(editor.edit, name.number))
    for card_id, after in zip(there, wanted, strict=False):
        editor.ledger.put(RecordName("card", card_id), after)
    for card_id in there[len(wanted) :]:
        editor.ledger.put(RecordName("card", card_id), None)
    for after in wanted[len(there) :]:
        editor.ledger.create("card", after)
