"""Sets of flashcards in groups: series by the number at the end of their names, topics beside each other."""

from abhidhan.dictionary.model.cards import CardSet, group_sets
from abhidhan.records.languages import ASSAMESE, ENGLISH
from abhidhan.records.local_texts import LocalText


def card_set(number: int, name: str, assamese: str = "") -> CardSet:
    names = (LocalText(ENGLISH, name), *((LocalText(ASSAMESE, assamese),) if assamese else ()))
    return CardSet(number, name, ASSAMESE, ENGLISH, 50, None, names, ())


def test_sets_that_differ_in_a_number_are_a_series_in_its_order() -> None:
    first, second, tenth = (
        card_set(1, "Words 2", "শব্দ ২"), card_set(2, "Words 10", "শব্দ ১০"), card_set(3, "Words 1", "শব্দ ১")
    )  # fmt: skip

    groups = group_sets([first, second, tenth, card_set(4, "Agent 7")], {})

    (series,) = groups.series
    assert [place for place, _ in series.sets] == [1, 2, 10]
    assert series.names == (LocalText(ENGLISH, "Words"), LocalText(ASSAMESE, "শব্দ"))
    assert series.cards == 150
    assert [each.name for each in groups.others] == ["Agent 7"]


def test_sets_of_one_topic_stand_beside_each_other() -> None:
    sets = [card_set(number, name) for number, name in ((1, "Family"), (2, "Birds"), (3, "School"), (4, "Verbs"))]

    groups = group_sets(sets, {1: 20, 2: 10, 3: 20})

    assert [each.name for each in groups.by_topic] == ["Birds", "Family", "School"]
    assert [each.name for each in groups.others] == ["Verbs"]
