"""Downloads are never built at the first start, and at night if once a day is enough."""

import time
from typing import Final

from abhidhan.app.download_publisher import is_due
from abhidhan.publishing.service.download_files import Downloads
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS

NOON: Final = time.mktime((2026, 12, 1, 12, 0, 0, 0, 0, -1))
NIGHT: Final = time.mktime((2026, 12, 2, 3, 0, 0, 0, 0, -1))
OLD: Final = Downloads(7, int(NOON) - 2 * DAY_SECONDS, ())


def test_missing_files_wait_for_an_hour_after_the_start_and_for_the_night() -> None:
    def is_missing_due(now: float, interval_seconds: float) -> bool:
        return is_due(None, 7, now, started=NOON, interval_seconds=interval_seconds)

    assert not is_missing_due(NOON, DAY_SECONDS)
    assert not is_missing_due(NOON + 2 * HOUR_SECONDS, DAY_SECONDS)
    assert is_missing_due(NIGHT, DAY_SECONDS)
    assert not is_due(None, 7, NIGHT + 60, started=NIGHT, interval_seconds=DAY_SECONDS)
    assert not is_missing_due(NOON, HOUR_SECONDS)
    assert is_missing_due(NOON + HOUR_SECONDS, HOUR_SECONDS)
    assert is_missing_due(NOON + 1, 1)
    assert is_missing_due(NOON + 2 * DAY_SECONDS, DAY_SECONDS), "a server that is off at night"


def test_outdated_files_wait_for_the_night_unless_the_interval_is_shorter_than_a_day() -> None:
    def is_old_due(version: int, now: float, interval_seconds: float) -> bool:
        return is_due(OLD, version, now, started=NOON, interval_seconds=interval_seconds)

    assert not is_old_due(8, NOON, 2 * DAY_SECONDS)
    assert is_old_due(8, NOON, DAY_SECONDS), "a server that is off at night"
    assert is_old_due(8, NIGHT, DAY_SECONDS)
    assert is_old_due(8, NOON, DAY_SECONDS / 2)
    assert not is_old_due(7, NIGHT, DAY_SECONDS)
    late_in_the_night = Downloads(7, int(NIGHT) + 3600 - DAY_SECONDS, ())
    assert is_due(late_in_the_night, 8, NIGHT, started=NOON, interval_seconds=DAY_SECONDS)
    assert not is_old_due(8, NIGHT, 7 * DAY_SECONDS)
