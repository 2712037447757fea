"""The security log: one line for each event, with who, from where and by whom, and without secrets."""

import logging

import pytest
from structlog.testing import capture_logs

from abhidhan.records.people import Role
from tests.support.contributions import PASSWORD, Site
from tests.support.pages import send_form

ADDRESS = "192.0.2.1"
PEOPLE = "/account/people"
TOKENS = "/account/tokens"


def test_each_event_of_an_account_is_one_line(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "abhidhan.security")
    site.add("boss", Role.ADMINISTRATOR)
    site.add("anil")
    boss, anil = (site.run(site.write_side.accounts.administration.find_by_name(name)).id for name in ("boss", "anil"))
    from_here = {"address": ADDRESS}

    with capture_logs() as lines:
        site.sign_in("anil", "secret of another site")
        site.sign_in("a password typed as the name", PASSWORD)
        site.sign_in("anil")
        new = {"password": "not this secret", "new_password": "a new secret of the garden"}
        site.ask("POST", "/api/account/password", by="anil", json=new)
        answer = site.ask("POST", "/api/account/password", by="anil", json=new | {"password": PASSWORD})
        send_form(site, f"{PEOPLE}/invitations", {"role": "editor"}, by="boss")
        (invitation,) = site.run(site.write_side.accounts.administration.list_invitations())
        send_form(site, f"{PEOPLE}/invitations/{invitation.id}/revoke", {}, by="boss")
        send_form(site, f"{PEOPLE}/{anil}/role", {"role": "editor"}, by="boss")
        send_form(site, f"{PEOPLE}/{anil}/disable", {}, by="boss")
        token = {"name": "my program", "contribute": "yes", "days": "30", "password": PASSWORD}
        send_form(site, TOKENS, token, by="boss")
        (made,) = site.run(site.write_side.tokens.list_tokens(boss))
        send_form(site, f"{TOKENS}/{made.id}/revoke", {}, by="boss")

    assert answer.status == 204
    told = [{key: value for key, value in line.items() if key not in {"log_level", "request_id"}} for line in lines]
    assert told == [
        {"event": "sign-in failed", "person_id": anil, "reason": "wrong password", **from_here},
        {"event": "sign-in failed", "reason": "unknown name", **from_here},
        {"event": "signed in", "person_id": anil, **from_here},
        {"event": "wrong own password", "person_id": anil, **from_here},
        {"event": "password changed", "person_id": anil, **from_here},
        {"event": "invitation created", "by": boss, "role": "editor", "people": 1},
        {"event": "invitation revoked", "by": boss, "invitation_id": invitation.id},
        {"event": "role changed", "person_id": anil, "by": boss, "before": "reader", "after": "editor"},
        {"event": "account disabled", "person_id": anil, "by": boss},
        {"event": "token created", "person_id": boss, "token_id": made.id, **from_here},
        {"event": "token revoked", "person_id": boss, "token_id": made.id},
    ]
    assert not [line for line in lines if "secret" in str(line) or PASSWORD in str(line) or "typed" in str(line)]


def test_wrong_own_passwords_count_together_from_whatever_address(site: Site) -> None:
    site.add("anil")
    wrong = {"password": "a wrong one", "new_password": "a new secret of the garden"}

    statuses = [
        site.ask("POST", "/api/account/password", by="anil", json=wrong, address=f"198.51.100.{number}").status
        for number in range(1, 30)
    ]

    assert statuses[0] == 403
    assert statuses[-1] == 429
    assert site.sign_in("anil", address="203.0.113.9").status == 204
