"""SELECT statements for words by one of their search keys, in the order of the response."""

from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, bindparam, or_, select

from abhidhan.platform.database.compiled_queries import in_list
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import word


def language_condition(language_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Build the condition that a column equals the parameter `language_id`, unless that is `ALL_LANGUAGES`."""
    parameter = bindparam("language_id", type_=Integer)
    return or_(parameter == ALL_LANGUAGES, language_id == parameter)


def select_by_key(key: ColumnElement[str], frequency: ColumnElement[Any], size: int) -> Select[Any]:
    """Select the words that have one of `size` keys, by language, then alphabetically."""
    return (
        select(key, word.c.id, word.c.language_id, word.c.text, frequency)
        .where(in_list(key, "key", size), language_condition(word.c.language_id))
        .order_by(word.c.language_id, word.c.sort_key, word.c.text)
        .limit(bindparam("limit", type_=Integer))
    )
