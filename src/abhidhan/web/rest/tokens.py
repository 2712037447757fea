"""/api/account/tokens: personal tokens, by which programs write in one's own name."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.params import JSONBody

from abhidhan.domain.tokens import (
    LONGEST_DAYS,
    LONGEST_NAME,
    SHORTEST_DAYS,
    USUAL_DAYS,
    NewToken,
    Scope,
    Token,
)
from abhidhan.services.accounts.tokens import MadeToken
from abhidhan.web.arguments import SOME_TEXT, record_id
from abhidhan.web.rest.session import SMALL_BODY, GivenPassword
from abhidhan.web.sessions import SignedInRequest, needs, tokens_of, visit_of
from abhidhan.web.timestamps import Timestamp, timestamp


class TokenRequest(msgspec.Struct, frozen=True):
    """A token to be made: what you call it, what it is for, for how many days, and your password once more."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME, pattern=SOME_TEXT)]
    scopes: Annotated[list[Scope], msgspec.Meta(min_length=1, max_length=len(Scope))]
    password: GivenPassword
    days: Annotated[int, msgspec.Meta(ge=SHORTEST_DAYS, le=LONGEST_DAYS)] = USUAL_DAYS


class TokenEntry(msgspec.Struct, frozen=True):
    """One of your tokens, without its text; `used` is the last day on which it was used."""

    id: int
    name: str
    scopes: tuple[Scope, ...]
    created: Timestamp
    expires: Timestamp
    used: str | None

    @classmethod
    def of(cls, token: Token) -> "TokenEntry":
        """Write times as callers read them."""
        used = None if token.used is None else datetime.fromtimestamp(token.used, UTC).strftime("%Y-%m-%d")
        return cls(token.id, token.name, token.scopes, timestamp(token.created), timestamp(token.expires), used)


class TokensAnswer(msgspec.Struct, frozen=True):
    """Your tokens that have not expired, newest first."""

    data: tuple[TokenEntry, ...]
    count: int


class MadeTokenAnswer(msgspec.Struct, frozen=True):
    """A new token. `token` is its text, shown only this once: only a hash of it is kept."""

    id: int
    name: str
    scopes: tuple[Scope, ...]
    created: Timestamp
    expires: Timestamp
    token: str

    @classmethod
    def of(cls, made: MadeToken) -> "MadeTokenAnswer":
        """Show what was made."""
        token = made.token
        return cls(token.id, token.name, token.scopes, timestamp(token.created), timestamp(token.expires), made.text)


@get("/api/account/tokens", tags=["Accounts"], summary="List your personal tokens", guards=[needs()])
async def list_tokens(request: SignedInRequest) -> TokensAnswer:
    """List the tokens by which programs may act for you, newest first."""
    found = await tokens_of(request).list_for(request.user.person.id)
    return TokensAnswer(tuple(map(TokenEntry.of, found)), len(found))


@post(
    "/api/account/tokens",
    tags=["Accounts"],
    summary="Make a personal token",
    status_code=201,
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def make_token(request: SignedInRequest, data: JSONBody[TokenRequest]) -> MadeTokenAnswer:
    """Make a token for a program of yours. Its text is shown only in this answer."""
    new = NewToken(data.name, frozenset(data.scopes), data.days)
    return MadeTokenAnswer.of(await tokens_of(request).make(request.user, new, data.password, visit_of(request)))


@delete(
    "/api/account/tokens/{token_id:int}",
    tags=["Accounts"],
    summary="Revoke a personal token",
    status_code=204,
    guards=[needs()],
)
async def revoke_token(
    request: SignedInRequest, token_id: Annotated[int, record_id("The ID of one of your own tokens.")]
) -> None:
    """Revoke a token: programs can no longer use it."""
    await tokens_of(request).revoke(request.user.person.id, token_id)


TOKEN_HANDLERS = (list_tokens, make_token, revoke_token)
