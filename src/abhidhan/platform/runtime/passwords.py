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

MEMORY_KIB: Final = 19 * 1024
ROUNDS: Final = 2
LANES: Final = 1
"""OWASP's minimum parameters for Argon2id (Password Storage Cheat Sheet, 2025): 20 ms per hash on one core."""

AT_ONCE: Final = 2
"""Maximum number of concurrent hashes per process, which limits memory and cores."""

MOST_WAITING: Final = 100
"""Maximum number of waiting requests; more are rejected as a flood."""


class Standing(Enum):
    """Trust in a client before its password is hashed or checked."""

    KNOWN = "somebody signed in, or signing in from where the owner has before; or a command"
    SIGNING_IN = "anybody who signs in"
    STRANGER = "anybody who signs up or uses a link"


PLACES: Final[Mapping[Standing, int]] = {
    Standing.KNOWN: MOST_WAITING,
    Standing.SIGNING_IN: 60,
    Standing.STRANGER: 20,
}
"""Maximum number of waiting requests by standing; the limit of strangers leaves room for known users."""

PLACES_OF_ONE_ADDRESS: Final = 6
"""Maximum number of waiting requests from one address, not counting known users."""


class Turn(NamedTuple):
    """Standing and address of a request that waits in the queue."""

    standing: Standing = Standing.KNOWN
    address: str = ""


Waiting = asyncio.Future[None]


class Queue:
    """Queue of waiting requests: known users first, then the other addresses in turn.

    Otherwise a flood from one address would delay all other users.
    """

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._known: deque[Waiting] = deque()
        self._others: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._busy = 0
        self._standings: Counter[Standing] = Counter()
        self._addresses: Counter[str] = Counter()

    async def enter(self, turn: Turn) -> None:
        """Wait for a turn; call `leave` after it. Raises UnavailableError, without entering, if too many wait."""
        if self._is_full_for(turn):
            raise UnavailableError(
                sentence("Too many people are signing in at once. Please try again soon."), RetryAfter.MOMENT
            )
        self._standings[turn.standing] += 1
        self._addresses[turn.address] += turn.standing is not Standing.KNOWN
        if self._busy < AT_ONCE:
            self._busy += 1
            return
        place: Waiting = asyncio.get_running_loop().create_future()
        self._line_of(turn).append(place)
        try:
            await place
        except asyncio.CancelledError:
            self._give_up(turn, place)
            raise

    def leave(self, turn: Turn) -> None:
        """End a turn and start the next one."""
        self._count_out(turn)
        self._pass_on()

    def _is_full_for(self, turn: Turn) -> bool:
        return (
            self._standings.total() >= MOST_WAITING
            or self._standings[turn.standing] >= PLACES[turn.standing]
            or (turn.standing is not Standing.KNOWN and self._addresses[turn.address] >= PLACES_OF_ONE_ADDRESS)
        )

    def _line_of(self, turn: Turn) -> deque[Waiting]:
        return self._known if turn.standing is Standing.KNOWN else self._others.setdefault(turn.address, deque())

    def _count_out(self, turn: Turn) -> None:
        self._standings[turn.standing] -= 1
        self._addresses[turn.address] -= turn.standing is not Standing.KNOWN
        if not self._addresses[turn.address]:
            del self._addresses[turn.address]

    def _pass_on(self) -> None:
        while (place := self._next()) is not None:
            if not place.done():
                place.set_result(None)
                return
        self._busy -= 1

    def _next(self) -> Waiting | None:
        if self._known:
            return self._known.popleft()
        if not self._others:
            return None
        address, line = self._others.popitem(last=False)
        place = line.popleft()
        if line:
            self._others[address] = line
        return place

    def _give_up(self, turn: Turn, place: Waiting) -> None:
        """Leave the queue before the turn; if the turn came at the same moment, pass it on."""
        self._count_out(turn)
        if not place.cancelled():
            self._pass_on()


class Verdict(NamedTuple):
    """Result of a check: whether the password is correct, and whether its hash uses outdated parameters."""

    fits: bool
    outdated: bool


class Passwords:
    """Hashing and checking of passwords in threads."""

    def __init__(self) -> None:
        """Create the pool; threads start on demand."""
        self._hasher = PasswordHasher(ROUNDS, MEMORY_KIB, LANES)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._queue = Queue()

    async def hash(self, password: str, turn: Turn = Turn()) -> str:  # noqa: B008  # frozen
        """Hash a new password. Raises UnavailableError if too many requests wait."""
        return await self._in_turn(partial(self.hash_now, password), turn)

    async def verify(self, hashed: str | None, password: str, turn: Turn = Turn()) -> Verdict:  # noqa: B008  # frozen
        """Check a password; without a hash (an unknown user) the check fails after the same time.

        Raises UnavailableError if too many requests wait.
        """
        return await self._in_turn(partial(self.verify_now, hashed, password), turn)

    def hash_now(self, password: str) -> str:
        """Hash a new password in the calling thread."""
        return self._hasher.hash(_bytes(password))

    def verify_now(self, hashed: str | None, password: str) -> Verdict:
        """Check a password in the calling thread."""
        # Always evaluated: the first use takes longer, which must not reveal whether a name exists.
        nobodys = self._nobodys
        try:
            self._hasher.verify(hashed or nobodys, _bytes(password))
        except (VerificationError, InvalidHashError):
            return Verdict(fits=False, outdated=False)
        return Verdict(fits=hashed is not None, outdated=self._hasher.check_needs_rehash(hashed or nobodys))

    @cached_property
    def _nobodys(self) -> str:
        """A dummy hash against which passwords of unknown names are checked, so that the check takes as long."""
        return self._hasher.hash(secrets.token_hex())

    def close(self) -> None:
        """Wait for running jobs and stop the threads."""
        self._threads.shutdown(wait=True)

    async def _in_turn(self, work: Callable[[], T], turn: Turn) -> T:
        await self._queue.enter(turn)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._queue.leave(turn)


def _bytes(password: str) -> bytes:
    # A lone surrogate has no UTF-8 encoding, but is accepted in a password.
    return password.encode("utf-8", "surrogatepass")
