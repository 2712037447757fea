import secrets
from typing import Final

import pyotp

from abhidhan.people.model.two_factor import (
    RECOVERY_CODE_COUNT,
    TwoFactorRule,
    TwoFactorSecret,
    build_otpauth_uri,
    clean_code,
    find_equal_hash,
    find_time_step,
    generate_recovery_codes,
    hash_recovery_code,
    is_app_code,
    is_two_factor_required,
)
from abhidhan.records.people import Role

# The secret of RFC 6238, appendix B: "12345678901234567890".
SECRET = TwoFactorSecret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")


# The examples of RFC 6238, appendix B.
RFC_CODES: Final = ((59, "287082"), (1111111109, "081804"), (2000000000, "279037"))


def test_codes_are_those_of_the_standard_and_other_texts_are_refused() -> None:
    for now, code in RFC_CODES:
        assert find_time_step(SECRET, code, now) == now // 30, now
    for wrong in ("", "000000", "28708", "2870822", "২৮৭০৮২", "\ud800", "x" * 60):
        assert find_time_step(SECRET, wrong, 59) is None, ascii(wrong)


def test_a_code_is_valid_one_step_before_and_after() -> None:
    code = pyotp.TOTP(SECRET).at(1_800_000_000)

    valid = {late: find_time_step(SECRET, code, 1_800_000_000 + late) is not None for late in (-60, -30, 0, 30, 60)}

    assert valid == {-60: False, -30: True, 0: True, 30: True, 60: False}


def test_codes_may_be_typed_with_spaces_and_in_digits_of_any_script() -> None:
    assert clean_code(" 287 082 ") == "287082"
    assert clean_code("২৮৭০৮২") == "287082"
    assert clean_code("ABCD-efgh") == "abcdefgh"
    assert is_app_code("287082")
    assert not is_app_code("abcdef")


def test_there_are_ten_different_recovery_codes() -> None:
    codes = generate_recovery_codes(secrets.choice)

    assert len(set(codes)) == RECOVERY_CODE_COUNT
    assert all(len(clean_code(code)) == 16 for code in codes)


def test_a_recovery_code_is_recognized_by_its_hash_for_its_owner_only() -> None:
    kept = [hash_recovery_code(1, code) for code in ("aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh")]

    assert find_equal_hash(hash_recovery_code(1, "AAAA bbbb CCCC dddd"), kept) == kept[0]
    assert find_equal_hash(hash_recovery_code(2, "aaaa-bbbb-cccc-dddd"), kept) is None


def test_a_secret_is_not_printed() -> None:
    assert SECRET not in repr(SECRET)
    assert SECRET not in f"{[SECRET]} {(SECRET,)!r}"


def test_the_address_for_authenticator_apps_has_all_data() -> None:
    address = build_otpauth_uri(SECRET, "নীলা")

    assert address.startswith("otpauth://totp/Abhidhan:%E0%A6%A8")
    assert f"secret={SECRET}" in address
    assert "issuer=Abhidhan" in address


def test_codes_are_required_only_for_staff_where_the_settings_require_them() -> None:
    must = {role for role in Role if is_two_factor_required(TwoFactorRule.REQUIRED, role)}

    assert must == {Role.EDITOR, Role.ADMINISTRATOR}
    assert not any(
        is_two_factor_required(rule, role) for rule in (TwoFactorRule.OFF, TwoFactorRule.OPTIONAL) for role in Role
    )
