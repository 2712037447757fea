from hypothesis import given
from hypothesis import strategies as st

from abhidhan.records.api_tokens import (
    SCOPE_PERMISSIONS,
    NewToken,
    Scope,
    ScopedPerson,
    clean_token,
    decode_scopes,
    encode_scopes,
    grantable_scopes,
    granted_permissions,
    scopes_granting,
)
from abhidhan.records.errors import ForbiddenError, InputError, ScopeMissingError
from abhidhan.records.people import Permission, Person, Role

roles, scope_sets = st.sampled_from(Role), st.frozensets(st.sampled_from(Scope))


def make_person(role: Role, disabled: int | None = None) -> Person:
    return Person(1, "anil", role, None, 0, disabled)


def make_scoped_person(role: Role, scopes: frozenset[Scope], disabled: int | None = None) -> ScopedPerson:
    return ScopedPerson(1, "anil", role, None, 0, disabled, scopes)


@given(roles, scope_sets, st.sampled_from(Permission), st.sampled_from([None, 5]))
def test_a_token_allows_only_what_both_the_role_and_the_scopes_allow(
    role: Role, scopes: frozenset[Scope], permission: Permission, disabled: int | None
) -> None:
    may = make_scoped_person(role, scopes, disabled).has_permission(permission)

    assert may == (make_person(role, disabled).has_permission(permission) and permission in granted_permissions(scopes))


def test_no_token_manages_people() -> None:
    assert scopes_granting(Permission.MANAGE_PEOPLE) == ()
    for role in Role:
        assert not make_scoped_person(role, frozenset(Scope)).has_permission(Permission.MANAGE_PEOPLE), role


def test_every_other_permission_has_exactly_one_scope() -> None:
    assert sorted(each.name for allowed in SCOPE_PERMISSIONS.values() for each in allowed) == sorted(
        each.name for each in Permission if each is not Permission.MANAGE_PEOPLE
    )


def test_the_error_distinguishes_a_missing_scope_from_a_missing_role() -> None:
    editor = make_scoped_person(Role.EDITOR, frozenset({Scope.CONTRIBUTE}))
    reader = make_scoped_person(Role.READER, frozenset(Scope))

    assert isinstance(editor.permission_error(Permission.EDIT), ScopeMissingError)
    assert not isinstance(reader.permission_error(Permission.EDIT), ScopeMissingError)
    assert not isinstance(editor.permission_error(Permission.MANAGE_PEOPLE), ScopeMissingError)


@given(scope_sets)
def test_scopes_are_decoded_unchanged(scopes: frozenset[Scope]) -> None:
    assert decode_scopes(encode_scopes(scopes)) == scopes


def test_an_unknown_scope_is_ignored() -> None:
    assert decode_scopes("contribute everything") == {Scope.CONTRIBUTE}


@given(st.text(max_size=80), scope_sets, st.integers(-1, 400), roles)
def test_a_new_token_is_cleaned_or_rejected(name: str, scopes: frozenset[Scope], days: int, role: Role) -> None:
    person = make_person(role)
    try:
        clean = clean_token(NewToken(name, scopes, days), person)
    except (InputError, ForbiddenError):
        return

    assert 1 <= len(clean.name) <= 60
    assert clean.name == " ".join(name.split())
    assert clean.scopes
    assert clean.scopes <= set(grantable_scopes(person))
    assert 1 <= clean.days <= 366
