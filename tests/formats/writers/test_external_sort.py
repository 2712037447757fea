import random
from pathlib import Path

import pytest

from abhidhan.formats.writers.external_sort import MAX_MEMORY_ITEMS, ExternalSorter, SortItem


@pytest.mark.no_cover
def test_more_entries_than_memory_holds_are_sorted_completely(tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311  # no secret
    given = [
        SortItem(b"%d" % chance.randrange(1_000), b"name", number, (number, 2))
        for number in range(2 * MAX_MEMORY_ITEMS + 10)
    ]
    with ExternalSorter(tmp_path) as entries:
        for entry in given:
            entries.add(entry)

        assert list(entries) == sorted(given)
    assert list(tmp_path.iterdir()) == []

    with ExternalSorter(tmp_path) as entries:
        assert list(entries) == []
