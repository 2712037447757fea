"""/api/account/mails: the mails that one agrees to."""

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from abhidhan.domain.mails import Often
from abhidhan.services.accounts.mails import Wanted
from abhidhan.web.mails import DigestRhythm, MailLanguage, mails_of
from abhidhan.web.rest.session import SMALL_BODY
from abhidhan.web.sessions import SignedInRequest, needs


class MailsAnswer(msgspec.Struct, frozen=True):
    """Which mails you get, and in which language.

    `possible`: this server can send them. `language` is null while you have never agreed to any.
    """

    possible: bool
    decisions: bool
    digest: str
    language: str | None


class MailsRequest(msgspec.Struct, frozen=True):
    """Which mails you want: about decisions on what you sent, and (for editors) how often a digest of what waits."""

    decisions: bool
    digest: DigestRhythm
    language: MailLanguage


@get("/api/account/mails", tags=["Accounts"], summary="Show which mails you get", guards=[needs()])
async def show_mails(request: SignedInRequest) -> MailsAnswer:
    """Return which mails you have agreed to."""
    return await _answer(request)


@post(
    "/api/account/mails",
    tags=["Accounts"],
    summary="Agree to mails, or stop them",
    status_code=200,
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def choose_mails(request: SignedInRequest, data: JSONBody[MailsRequest]) -> MailsAnswer:
    """Choose which mails you get. You can always stop them, here or by the link in each.

    403 for mails that this server cannot send, for an account without an e-mail address, and for a digest that is not
    for your role.
    """
    decisions = Often.AT_ONCE if data.decisions else Often.NEVER
    await mails_of(request).choose(request.user.person, Wanted(decisions, Often(data.digest), data.language))
    return await _answer(request)


async def _answer(request: SignedInRequest) -> MailsAnswer:
    mails = mails_of(request)
    wanted = await mails.wanted_by(request.user.person)
    decisions = wanted.decisions is not Often.NEVER
    return MailsAnswer(mails.is_possible, decisions, str(wanted.digest), wanted.language or None)


MAIL_HANDLERS = (show_mails, choose_mails)
