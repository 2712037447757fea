import asyncio
import time
from collections.abc import Iterator
from typing import Final

import pytest
from argon2 import PasswordHasher

from abhidhan.platform.runtime import passwords as module
from abhidhan.platform.runtime.passwords import (
    ARGON2_ITERATIONS,
    ARGON2_MEMORY_KIB,
    MAX_CONCURRENT_HASHES,
    MAX_WAITING_PER_ADDRESS,
    MAX_WAITING_REQUESTS,
    HashQueue,
    Passwords,
    QueueTicket,
    TrustLevel,
)
from abhidhan.records.errors import UnavailableError

PASSWORD: Final = "মোৰ ডাঙৰ পাছৱৰ্ড"  # noqa: S105 (of nobody)


@pytest.fixture
def _program_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with all the work that the program takes, which other tests spare themselves."""
    monkeypatch.setattr(module, "ARGON2_MEMORY_KIB", ARGON2_MEMORY_KIB)
    monkeypatch.setattr(module, "ARGON2_ITERATIONS", ARGON2_ITERATIONS)


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """Hash and check passwords."""
    made = Passwords()
    yield made
    made.close()


@pytest.mark.usefixtures("_program_cost")
def test_only_the_right_password_matches_its_hash(passwords: Passwords) -> None:
    hashed = passwords.hash_now(PASSWORD)

    assert passwords.verify_now(hashed, PASSWORD) == (True, False)
    assert passwords.verify_now(hashed, PASSWORD + "!") == (False, False)
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.hash_now(PASSWORD) != hashed
    assert passwords.verify_now(passwords.hash_now("half \ud800 of one"), "half \ud800 of one").is_correct


def test_no_password_matches_an_unknown_person_or_a_broken_hash(passwords: Passwords) -> None:
    assert not passwords.verify_now(None, PASSWORD).is_correct
    assert not passwords.verify_now("broken", PASSWORD).is_correct


@pytest.mark.usefixtures("_program_cost")
def test_a_hash_with_older_parameters_matches_and_is_outdated(passwords: Passwords) -> None:
    older = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)

    assert passwords.verify_now(older, PASSWORD) == (True, True)


@pytest.mark.usefixtures("_program_cost")
def test_verifying_takes_as_long_for_an_unknown_person_as_for_a_known_one(passwords: Passwords) -> None:
    hashed = passwords.hash_now(PASSWORD)

    def work(known: str | None) -> float:
        times = []
        for _ in range(7):
            began = time.thread_time()
            passwords.verify_now(known, "wrong")
            times.append(time.thread_time() - began)
        return min(times)

    assert work(None) == pytest.approx(work(hashed), rel=0.5)


def test_requests_beyond_the_queue_length_are_rejected(passwords: Passwords) -> None:
    async def flood() -> list[object]:
        tries = (passwords.verify(None, "x") for _ in range(MAX_WAITING_REQUESTS + 20))
        return list(await asyncio.gather(*tries, return_exceptions=True))

    refused = [each for each in asyncio.run(flood()) if isinstance(each, UnavailableError)]

    assert len(refused) == 20


async def _enter(queue: HashQueue, order: list[str], turn: QueueTicket, name: str) -> None:
    """Wait for a turn, and note when it came."""
    await queue.enter(turn)
    order.append(name)


def list_order(*comers: tuple[TrustLevel, str]) -> list[str]:
    """Let people come while every thread is busy, and tell in which order they get their turns."""

    async def work() -> list[str]:
        queue = HashQueue()
        order: list[str] = []
        for _ in range(MAX_CONCURRENT_HASHES):
            await queue.enter(QueueTicket())
        turns = [QueueTicket(standing, address) for standing, address in comers]
        tasks = [
            asyncio.ensure_future(_enter(queue, order, turn, f"{turn.address} {number}"))
            for number, turn in enumerate(turns)
        ]
        await asyncio.sleep(0)
        for turn in [QueueTicket(), *turns]:
            queue.leave(turn)
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        return order

    return asyncio.run(work())


def test_known_people_are_served_before_a_flood_of_strangers() -> None:
    flood = [(TrustLevel.STRANGER, "b")] * 5

    assert list_order(*flood, (TrustLevel.KNOWN, "a"))[0] == "a 5"


def test_addresses_take_turns() -> None:
    flood = [(TrustLevel.SIGNING_IN, "b")] * 3

    assert list_order(*flood, (TrustLevel.SIGNING_IN, "a"), (TrustLevel.STRANGER, "c")) == [
        "b 0",
        "a 3",
        "c 4",
        "b 1",
        "b 2",
    ]


def test_one_address_holds_few_places(passwords: Passwords) -> None:
    for trust in (TrustLevel.SIGNING_IN, TrustLevel.STRANGER):
        refused = count_refused(passwords, [QueueTicket(trust, "192.0.2.1")] * 40)

        assert refused == 40 - MAX_WAITING_PER_ADDRESS, trust


def test_strangers_from_many_addresses_leave_room_for_known_people(passwords: Passwords) -> None:
    strangers = [QueueTicket(TrustLevel.STRANGER, f"192.0.2.{each}") for each in range(60)]
    signing_in = [QueueTicket(TrustLevel.SIGNING_IN, f"198.51.100.{each}") for each in range(100)]
    known = [QueueTicket(TrustLevel.KNOWN, "203.0.113.1")] * 15

    assert count_refused(passwords, [*strangers, *signing_in, *known]) == 40 + 40


def count_refused(passwords: Passwords, turns: list[QueueTicket]) -> int:
    async def flood() -> list[object]:
        return list(
            await asyncio.gather(*(passwords.verify(None, "x", turn) for turn in turns), return_exceptions=True)
        )

    return sum(isinstance(each, UnavailableError) for each in asyncio.run(flood()))


def test_a_cancelled_request_frees_its_place(passwords: Passwords) -> None:
    async def work() -> bool:
        turn = QueueTicket(TrustLevel.STRANGER, "192.0.2.1")
        waiting = [asyncio.ensure_future(passwords.verify(None, "x", turn)) for _ in range(MAX_WAITING_PER_ADDRESS)]
        await asyncio.sleep(0)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        again = await asyncio.gather(*(passwords.verify(None, "x", turn) for _ in range(MAX_WAITING_PER_ADDRESS)))
        return any(verdict.is_correct for verdict in again)

    assert asyncio.run(work()) is False
