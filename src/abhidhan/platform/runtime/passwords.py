"""Passwords: hashed and checked by Argon2id in a few threads, since each takes 20 ms and 19 MiB on purpose."""

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
"""OWASP's least profile for Argon2id (Password Storage Cheat Sheet, 2025): 20 ms a hash on one core."""

AT_ONCE: Final = 2
"""How many are hashed at once in one process: so much memory and so many cores may go there."""

MOST_WAITING: Final = 100
"""How many may wait for their turn; beyond that the server is being flooded."""


class Standing(Enum):
    """Who wants a password hashed or checked, as far as can be told before it is."""

    KNOWN = "somebody signed in, or signing in from where the owner has before; or a command"
    SIGNING_IN = "anybody who signs in"
    STRANGER = "anybody who signs up or uses a link"


PLACES: Final[Mapping[Standing, int]] = {
    Standing.KNOWN: MOST_WAITING,
    Standing.SIGNING_IN: 60,
    Standing.STRANGER: 20,
}
"""How many of each may wait. All strangers together leave room for those who are known."""

PLACES_OF_ONE_ADDRESS: Final = 6
"""How many may wait that come from one address, and are not known."""


class Turn(NamedTuple):
    """Who waits for a turn, and from which address."""

    standing: Standing = Standing.KNOWN
    address: str = ""


Waiting = asyncio.Future[None]


class Queue:
    """Who waits, and who is next: first those who are known, then the others, one address after another.

    Without this a flood from one address would fill every place, and everybody else would wait behind it.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._known: deque[Waiting] = deque()
        self._others: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._busy = 0
        self._standings: Counter[Standing] = Counter()
        self._addresses: Counter[str] = Counter()

    async def enter(self, turn: Turn) -> None:
        """Wait for a turn. `leave` follows in any case. Raises UnavailableError when too many wait, and then not."""
        if self._is_full_for(turn):
            raise UnavailableError(
                sentence("Too many people are signing in at once; try again soon."), RetryAfter.MOMENT
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
        """Make room for the next one."""
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
        """Leave the line before the turn has come, or (where it came at the same moment) pass it on."""
        self._count_out(turn)
        if not place.cancelled():
            self._pass_on()


class Verdict(NamedTuple):
    """Whether a password fits, and whether its hash should be made anew because the profile has changed."""

    fits: bool
    outdated: bool


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._hasher = PasswordHasher(ROUNDS, MEMORY_KIB, LANES)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        self._queue = Queue()

    async def hash(self, password: str, turn: Turn = Turn()) -> str:  # noqa: B008  # frozen
        """Hash a new password. Raises UnavailableError when too many wait."""
        return await self._in_turn(partial(self.hash_now, password), turn)

    async def verify(self, hashed: str | None, password: str, turn: Turn = Turn()) -> Verdict:  # noqa: B008  # frozen
        """Return whether a password fits; without a hash (no such person) it never does, and takes as long.

        Raises UnavailableError when too many wait.
        """
        return await self._in_turn(partial(self.verify_now, hashed, password), turn)

    def hash_now(self, password: str) -> str:
        """Hash a new password here and now."""
        return self._hasher.hash(_bytes(password))

    def verify_now(self, hashed: str | None, password: str) -> Verdict:
        """Say here and now whether a password fits."""
        # Known or not: the first check of a process takes longer, and must not tell of which kind a name is.
        nobodys = self._nobodys
        try:
            self._hasher.verify(hashed or nobodys, _bytes(password))
        except (VerificationError, InvalidHashError):
            return Verdict(fits=False, outdated=False)
        return Verdict(fits=hashed is not None, outdated=self._hasher.check_needs_rehash(hashed or nobodys))

    @cached_property
    def _nobodys(self) -> str:
        """What an unknown name's password is checked against, so that it takes as long as a known one's."""
        return self._hasher.hash(secrets.token_hex())

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=True)

    async def _in_turn(self, work: Callable[[], T], turn: Turn) -> T:
        await self._queue.enter(turn)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._queue.leave(turn)


def _bytes(password: str) -> bytes:
    # Half a character of a pair cannot be UTF-8; it is a password like any other, if an odd one.
    return password.encode("utf-8", "surrogatepass")
