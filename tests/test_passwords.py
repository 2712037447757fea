import asyncio
import time
from collections.abc import Iterator
from typing import Final

import pytest
from argon2 import PasswordHasher

from abhidhan.errors import UnavailableError
from abhidhan.passwords import MOST_WAITING, Passwords

PASSWORD: Final = "মোৰ ডাঙৰ পাছৱৰ্ড"  # noqa: S105 (of nobody)


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """Hash and check passwords."""
    made = Passwords()
    yield made
    made.close()


def test_a_password_fits_its_hash_and_no_other(passwords: Passwords) -> None:
    hashed = passwords.hash_now(PASSWORD)

    assert passwords.verify_now(hashed, PASSWORD) == (True, False)
    assert passwords.verify_now(hashed, PASSWORD + "!") == (False, False)
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.hash_now(PASSWORD) != hashed


def test_nothing_fits_somebody_who_is_not_there(passwords: Passwords) -> None:
    assert not passwords.verify_now(None, PASSWORD).fits


def test_an_older_hash_fits_and_is_told_to_be_outdated(passwords: Passwords) -> None:
    older = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)

    assert passwords.verify_now(older, PASSWORD) == (True, True)


def test_what_is_no_hash_fits_nothing(passwords: Passwords) -> None:
    assert not passwords.verify_now("broken", PASSWORD).fits


def test_half_a_character_is_a_password_too(passwords: Passwords) -> None:
    assert passwords.verify_now(passwords.hash_now("half \ud800 of one"), "half \ud800 of one").fits


def test_an_unknown_name_costs_as_much_work_as_a_known_one(passwords: Passwords) -> None:
    hashed = passwords.hash_now(PASSWORD)

    def work(known: str | None) -> float:
        times = []
        for _ in range(7):
            began = time.thread_time()
            passwords.verify_now(known, "wrong")
            times.append(time.thread_time() - began)
        return min(times)

    assert work(None) == pytest.approx(work(hashed), rel=0.5)


def test_a_flood_of_passwords_is_turned_away(passwords: Passwords) -> None:
    async def flood() -> list[object]:
        tries = (passwords.verify(None, "x") for _ in range(MOST_WAITING + 20))
        return list(await asyncio.gather(*tries, return_exceptions=True))

    refused = [each for each in asyncio.run(flood()) if isinstance(each, UnavailableError)]

    assert len(refused) == 20
