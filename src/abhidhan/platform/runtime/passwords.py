"""Password hashing with Argon2id in a few threads, since each hash deliberately takes 20 ms and 19 MiB."""

import asyncio
import secrets
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import cached_property, partial
from typing import Final, NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from abhidhan.records.errors import RetryAfter, UnavailableError, sentence

T = TypeVar("T")

ARGON2_MEMORY_KIB: Final = 19 * 1024
ARGON2_ITERATIONS: Final = 2
ARGON2_PARALLELISM: Final = 1
"""OWASP's minimum parameters for Argon2id (Password Storage Cheat Sheet, 2025): 20 ms per hash on one core."""

MAX_CONCURRENT_HASHES: Final = 2
"""Maximum number of concurrent hashes per process, which limits memory and cores."""

MAX_WAITING_REQUESTS: Final = 100
"""Maximum number of waiting requests; more are rejected as a flood."""


class TrustLevel(Enum):
    """Trust level of a client, which decides its priority and its limit in the queue."""

    KNOWN = "a user who is signed in, or signs in from a known place; or a command"
    SIGNING_IN = "anybody who signs in"
    STRANGER = "anybody who signs up or uses a link"


MAX_WAITING_BY_TRUST: Final[Mapping[TrustLevel, int]] = {
    TrustLevel.KNOWN: MAX_WAITING_REQUESTS,
    TrustLevel.SIGNING_IN: 60,
    TrustLevel.STRANGER: 20,
}
"""Maximum number of waiting requests by trust level; the limit for strangers leaves room for known users."""

MAX_WAITING_PER_ADDRESS: Final = 6
"""Maximum number of waiting requests from one address, not counting known users."""


class QueueTicket(NamedTuple):
    """Trust level and address of the client of a request that waits in the queue."""

    trust: TrustLevel = TrustLevel.KNOWN
    address: str = ""


Waiter = asyncio.Future[None]


class HashQueue:
    """Queue of requests that wait for a password hash: known users first, then the other addresses in turn.

    Otherwise a flood from one address would delay all other users.
    """

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._trusted_waiters: deque[Waiter] = deque()
        self._waiters_by_address: OrderedDict[str, deque[Waiter]] = OrderedDict()
        self._running_count = 0
        self._counts_by_trust: Counter[TrustLevel] = Counter()
        self._counts_by_address: Counter[str] = Counter()

    async def enter(self, ticket: QueueTicket) -> None:
        """Wait until a hash may start; call `leave` after it. Raises UnavailableError immediately if too many wait."""
        if self._is_full_for(ticket):
            raise UnavailableError(
                sentence("Too many people are signing in at the same time. Please try again soon."), RetryAfter.MOMENT
            )
        self._counts_by_trust[ticket.trust] += 1
        self._counts_by_address[ticket.address] += ticket.trust is not TrustLevel.KNOWN
        if self._running_count < MAX_CONCURRENT_HASHES:
            self._running_count += 1
            return
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._get_waiters(ticket).append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            self._cancel(ticket, waiter)
            raise

    def leave(self, ticket: QueueTicket) -> None:
        """Record the end of a hash, and admit the next request."""
        self._decrement_counts(ticket)
        self._admit_next()

    def _is_full_for(self, ticket: QueueTicket) -> bool:
        return (
            self._counts_by_trust.total() >= MAX_WAITING_REQUESTS
            or self._counts_by_trust[ticket.trust] >= MAX_WAITING_BY_TRUST[ticket.trust]
            or (
                ticket.trust is not TrustLevel.KNOWN
                and self._counts_by_address[ticket.address] >= MAX_WAITING_PER_ADDRESS
            )
        )

    def _get_waiters(self, ticket: QueueTicket) -> deque[Waiter]:
        return (
            self._trusted_waiters
            if ticket.trust is TrustLevel.KNOWN
            else self._waiters_by_address.setdefault(ticket.address, deque())
        )

    def _decrement_counts(self, ticket: QueueTicket) -> None:
        self._counts_by_trust[ticket.trust] -= 1
        self._counts_by_address[ticket.address] -= ticket.trust is not TrustLevel.KNOWN
        if not self._counts_by_address[ticket.address]:
            del self._counts_by_address[ticket.address]

    def _admit_next(self) -> None:
        while (waiter := self._pop_next()) is not None:
            if not waiter.done():
                waiter.set_result(None)
                return
        self._running_count -= 1

    def _pop_next(self) -> Waiter | None:
        if self._trusted_waiters:
            return self._trusted_waiters.popleft()
        if not self._waiters_by_address:
            return None
        address, line = self._waiters_by_address.popitem(last=False)
        waiter = line.popleft()
        if line:
            self._waiters_by_address[address] = line
        return waiter

    def _cancel(self, ticket: QueueTicket, waiter: Waiter) -> None:
        """Remove a cancelled request; if it was admitted at the same moment, admit the next one."""
        self._decrement_counts(ticket)
        if not waiter.cancelled():
            self._admit_next()


class PasswordCheck(NamedTuple):
    """Result of a check: whether the password is correct, and whether its hash uses outdated parameters."""

    is_correct: bool
    is_outdated: bool


class Passwords:
    """Service that hashes and checks passwords in threads."""

    def __init__(self) -> None:
        """Create the pool; threads start on demand."""
        self._hasher = PasswordHasher(ARGON2_ITERATIONS, ARGON2_MEMORY_KIB, ARGON2_PARALLELISM)
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT_HASHES, thread_name_prefix="passwords")
        self._queue = HashQueue()

    async def hash(self, password: str, ticket: QueueTicket = QueueTicket()) -> str:  # noqa: B008  # frozen
        """Hash a new password. Raises UnavailableError if too many requests wait."""
        return await self._run_in_turn(partial(self.hash_now, password), ticket)

    async def verify(
        self,
        password_hash: str | None,
        password: str,
        ticket: QueueTicket = QueueTicket(),  # noqa: B008  # frozen
    ) -> PasswordCheck:
        """Check a password; without a hash (an unknown user) the check fails after the same time.

        Raises UnavailableError if too many requests wait.
        """
        return await self._run_in_turn(partial(self.verify_now, password_hash, password), ticket)

    def hash_now(self, password: str) -> str:
        """Hash a new password in the calling thread."""
        return self._hasher.hash(_encode_password(password))

    def verify_now(self, password_hash: str | None, password: str) -> PasswordCheck:
        """Check a password in the calling thread."""
        # Always evaluated: the first use takes longer, which must not reveal whether a name exists.
        dummy_hash = self._dummy_hash
        try:
            self._hasher.verify(password_hash or dummy_hash, _encode_password(password))
        except (VerificationError, InvalidHashError):
            return PasswordCheck(is_correct=False, is_outdated=False)
        return PasswordCheck(
            is_correct=password_hash is not None,
            is_outdated=self._hasher.check_needs_rehash(password_hash or dummy_hash),
        )

    @cached_property
    def _dummy_hash(self) -> str:
        """A dummy hash against which passwords of unknown names are checked, so that the check takes as long."""
        return self._hasher.hash(secrets.token_hex())

    def close(self) -> None:
        """Wait for running jobs and stop the threads."""
        self._threads.shutdown(wait=True)

    async def _run_in_turn(self, job: Callable[[], T], ticket: QueueTicket) -> T:
        await self._queue.enter(ticket)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self._queue.leave(ticket)


def _encode_password(password: str) -> bytes:
    # A lone surrogate has no UTF-8 encoding, but is accepted in a password.
    return password.encode("utf-8", "surrogatepass")
