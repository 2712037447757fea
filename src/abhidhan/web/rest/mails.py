"""/api/account/mails: the mails that one agrees to."""

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from abhidhan.domain.mails import Often
from abhidhan.services.accounts.mails import Wanted
from abhidhan.web.mails import DigestRhythm, MailLanguage, mails_of
from abhidhan.web.rest.session import SMALL_BODY
from abhidhan.web.sessions import SignedInRequest, needs, visit_of


class MailsAnswer(msgspec.Struct, frozen=True):
    """Which mails you get, and in which language.

    `possible`: this server can send them. `language` is null while you have never agreed to any. `address` says whether
    they go to your e-mail address: `confirmed`; `waiting` (a mail with a link was sent to it), `unconfirmed`, `refused`
    (whoever reads mails there wants none) or `none`.
    """

    possible: bool
    decisions: bool
    digest: str
    language: str | None
    address: str


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

    None comes before your address is confirmed, by the link in a mail that is sent to it: one an hour, three a day.

    403 for mails that this server cannot send, for an account without an e-mail address, and for a digest that is not
    for your role.
    """
    decisions = Often.AT_ONCE if data.decisions else Often.NEVER
    wanted = Wanted(decisions, Often(data.digest), data.language)
    await mails_of(request).choose(request.user.person, wanted, visit_of(request))
    return await _answer(request)


@post(
    "/api/account/mails/confirmation",
    tags=["Accounts"],
    summary="Send the mail once more that confirms your address",
    status_code=200,
    guards=[needs()],
    request_max_body_size=SMALL_BODY,
)
async def ask_address_again(request: SignedInRequest) -> MailsAnswer:
    """Send the mail with the link once more by which you confirm your address. It works for three days.

    409 if you have chosen no mails, 429 if such a mail was sent within the hour, or three within the day.
    """
    await mails_of(request).ask_again(request.user.person, visit_of(request))
    return await _answer(request)


async def _answer(request: SignedInRequest) -> MailsAnswer:
    mails = mails_of(request)
    wanted = await mails.wanted_by(request.user.person)
    decisions = wanted.decisions is not Often.NEVER
    standing = await mails.addresses.standing(request.user.person)
    return MailsAnswer(mails.is_possible, decisions, str(wanted.digest), wanted.language or None, str(standing))


MAIL_HANDLERS = (show_mails, choose_mails, ask_address_again)
