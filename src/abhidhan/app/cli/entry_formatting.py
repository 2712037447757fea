"""Look-up of words, and formatting of entries for the terminal."""

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from abhidhan.dictionary.model.cascade import Match, QueryWord
from abhidhan.dictionary.service import lookup, lookup_lists
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.words import Meaning, Word

MATCH_LABELS = {
    Match.LOOSE: "spelled a little differently",
    Match.PHONETIC: "sounds similar",
    Match.INFLECTED: "an inflected form",
    Match.COMPOUND: "a compound of these words",
}

_SUGGESTION_LABELS = {Match.NONE: "Did you mean: ", Match.COMPOUND: "Did you mean: "}

GRAMMAR_LABELS = {
    "Adjective Adjective": "Adjective",
    "Transitive": "Transitive verb",
    "Intransitive": "Intransitive verb",
    "Common": "Masculine or feminine",
}
"""Labels of parts of speech and genders whose list names are redundant or unclear next to a word."""


def look_up(connection: ReadConnection, query: str, language: str) -> tuple[tuple[QueryWord, ...], Catalogue]:
    """Look up the words of `query`; `language` is an ID or a code. Raises InputError for an unknown language."""
    language_id = lookup_lists.find_language_id(connection, lookup_lists.LanguageParam(language, "--language"))
    return lookup.look_up(connection, query, language_id), connection.catalogue


def format_query_word(item: QueryWord, catalogue: Catalogue) -> Group:
    """Format the result for one word of a query: the kind of match unless it is exact, the entries, and suggestions."""
    before, after = [], []
    if item.match is Match.NONE:
        before.append(Text.assemble((item.queryword, "bold"), ": not found."))
    elif item.match is not Match.EXACT:
        before.append(Text.assemble((item.queryword, "bold"), (f" ({MATCH_LABELS[item.match]})", "italic")))
    if item.suggestions:
        near = ", ".join(suggestion.word for suggestion in item.suggestions)
        after.append(Text.assemble((_SUGGESTION_LABELS.get(item.match, "See also: "), "dim"), near))
    return Group(*before, *(_format_entry(word, catalogue) for word in item.entries), *after)


def _format_entry(word: Word, catalogue: Catalogue) -> Group:
    heading = Text.assemble((word.word, "bold green"), (f" ({word.language})", "dim"))
    for label, value in (("Roman", word.roman), ("IPA", word.explicit_ipa), ("Origin", word.origin)):
        if value:
            heading.append(f"  {label}: {value}")
    meanings = [_format_meaning(number, meaning, catalogue) for number, meaning in enumerate(word.meanings, start=1)]
    return Group(heading, *(Padding(meaning, (0, 0, 0, 2)) for meaning in meanings), "")


def _format_meaning(number: int, meaning: Meaning, catalogue: Catalogue) -> Group:
    kind = " · ".join(GRAMMAR_LABELS.get(item.value, item.value) for item in (meaning.pos, meaning.gender) if item)
    contexts = ", ".join(context.value for context in meaning.contexts)
    parts = [part for part in ((contexts, "cyan"), (f"({kind})" if kind else "", "italic")) if part[0]]
    heading = Text(" ").join([Text(f"{number}."), *(Text(*part) for part in parts)])
    lines = [Text(definition.text) for definition in meaning.definitions]
    by_language: dict[int, list[str]] = {}
    for translation in meaning.translations:
        by_language.setdefault(translation.language_id, []).append(translation.word)
    for language_id, words in by_language.items():
        lines.append(Text.assemble((f"{catalogue.language(language_id).name}: ", "dim"), ", ".join(words)))
    lines += [
        Text.assemble((f"{relation.type.value}: ", "dim"), ", ".join(relation.words)) for relation in meaning.relations
    ]
    for example in meaning.examples:
        lines.append(Text.assemble(example.text, (f" — {example.translation}" if example.translation else "", "dim")))
    if meaning.note:
        lines.append(Text(meaning.note, style="dim italic"))
    return Group(heading, *(Padding(line, (0, 0, 0, 3)) for line in lines))
