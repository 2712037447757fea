"""Passwords: hashed and checked by Argon2id in a few threads, since each takes 20 ms and 19 MiB on purpose."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from abhidhan.errors import UnavailableError

T = TypeVar("T")

MEMORY_KIB: Final = 19 * 1024
ROUNDS: Final = 2
LANES: Final = 1
"""OWASP's least profile for Argon2id (Password Storage Cheat Sheet, 2025): 20 ms a hash on one core."""

AT_ONCE: Final = 2
"""How many are hashed at once in one process: so much memory and so many cores may go there."""

MOST_WAITING: Final = 100
"""How many may wait for their turn; beyond that the server is being flooded."""

RETRY_AFTER_SECONDS: Final = 5


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
        self._waiting = 0
        # What an unknown name's password is checked against, so that it takes as long as a known one's.
        self._nobodys = self._hasher.hash(secrets.token_hex())

    async def hash(self, password: str) -> str:
        """Hash a new password. Raises UnavailableError when too many wait."""
        return await self._in_turn(partial(self.hash_now, password))

    async def verify(self, hashed: str | None, password: str) -> Verdict:
        """Tell whether a password fits; without a hash (no such person) it never does, and takes as long.

        Raises UnavailableError when too many wait.
        """
        return await self._in_turn(partial(self.verify_now, hashed, password))

    def hash_now(self, password: str) -> str:
        """Hash a new password here and now."""
        return self._hasher.hash(_bytes(password))

    def verify_now(self, hashed: str | None, password: str) -> Verdict:
        """Tell here and now whether a password fits."""
        try:
            self._hasher.verify(hashed or self._nobodys, _bytes(password))
        except (VerificationError, InvalidHashError):
            return Verdict(fits=False, outdated=False)
        return Verdict(fits=hashed is not None, outdated=self._hasher.check_needs_rehash(hashed or self._nobodys))

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=True)

    async def _in_turn(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise UnavailableError("Too many people are signing in at once; try again soon.", RETRY_AFTER_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _bytes(password: str) -> bytes:
    # Half a character of a pair cannot be UTF-8; it is a password like any other, if an odd one.
    return password.encode("utf-8", "surrogatepass")
