"""No setting does nothing: each is read by the program, and its effect is shown by a test that the table names."""

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from abhidhan.records.settings import Settings

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src/abhidhan"
TABLE: Final = PACKAGE / "records/settings.py"

EFFECTS: Final = "tests/app/test_settings_in_effect.py"
CHOICES: Final = f"{EFFECTS}::test_each_choice_of_articles_is_that_of_its_setting"
POOLER: Final = "tests/platform/database/test_pooler.py"
STRANGERS: Final = "tests/app/test_strangers.py"
SERVER: Final = "tests/app/test_server.py"
FILES_OF_SETTINGS: Final = (
    "tests/app/test_download_publisher.py::test_files_and_packs_are_made_for_the_formats_and_languages_of_the_settings"
)
MAILS: Final = (
    "tests/contributions/service/test_mail_delivery.py"
    "::test_decisions_are_told_in_one_mail_with_their_reasons_and_two_ways_to_stop"
)

SHOWN: Final[dict[str, tuple[str, ...]]] = {
    "home": ("tests/records/test_settings.py::test_the_data_folder_is_enough",),
    "database": ("tests/app/cli/test_copy.py::test_a_dictionary_moves_into_another_database",),
    "database_direct": (f"{POOLER}::test_commands_and_a_start_take_the_direct_address",),
    "database_connections": (f"{POOLER}::test_a_worker_has_no_more_connections_than_it_is_allowed",),
    "host": (f"{SERVER}::test_the_address_that_is_set_is_listened_on",),
    "port": (f"{SERVER}::test_a_wrong_setting_stops_the_start_and_is_named", "tests/support/server.py::running_server"),
    "workers": (f"{SERVER}::test_metrics_add_up_all_workers",),
    "drain_seconds": (
        "tests/platform/runtime/test_supervisor.py::test_a_stopping_server_closes_connections_until_asked_twice",
    ),
    "base_url": (
        "tests/dictionary/api/test_linked_data.py::test_the_host_that_a_client_names_is_in_no_answer_that_is_kept",
    ),
    "https_only_seconds": (f"{EFFECTS}::test_browsers_are_held_to_https_where_the_address_begins_with_it",),
    "log_level": (f"{SERVER}::test_after_each_of_many_edits_every_worker_answers_what_was_written",),
    "log_format": (f"{SERVER}::test_each_request_is_one_line_of_the_log_with_its_id",),
    "rate_limit": ("tests/contract/test_rules.py::test_the_rate_limit_is_announced_and_enforced",),
    "trusted_proxies": ("tests/contract/test_rules.py::test_only_a_trusted_proxy_may_name_the_client",),
    "metrics_allowed": (f"{EFFECTS}::test_named_networks_may_read_metrics",),
    "connections": (
        f"{STRANGERS}::test_five_thousand_idle_connections_hold_up_nobody_else_and_more_than_are_allowed_wait",
    ),
    "connection_idle_seconds": (f"{STRANGERS}::test_a_client_that_never_reads_its_answer_loses_its_connection",),
    "body_idle_seconds": (f"{STRANGERS}::test_a_body_that_stops_is_answered_and_its_connection_closed",),
    "body_seconds": (f"{STRANGERS}::test_a_body_that_stops_is_answered_and_its_connection_closed",),
    "unfinished_requests": (
        f"{STRANGERS}::test_unfinished_requests_of_one_client_are_bounded_and_others_are_answered",
    ),
    "page_languages": (f"{EFFECTS}::test_pages_show_the_languages_that_the_operator_sets",),
    "downloads": ("tests/app/test_two_nodes.py::test_downloads_through_both_by_turns_all_have_their_checksums",),
    "downloads_hours": (
        (
            "tests/app/test_download_publisher.py"
            "::test_the_server_makes_the_files_and_makes_them_anew_when_the_dictionary_changes"
        ),
    ),
    "downloads_formats": (FILES_OF_SETTINGS,),
    "downloads_languages": (FILES_OF_SETTINGS,),
    "packs": (FILES_OF_SETTINGS,),
    "sign_up": (
        "tests/support/site_fixtures.py::open_site",
        "tests/people/api/test_session.py::test_anybody_makes_an_account_where_that_is_open",
    ),
    "two_factor": (
        "tests/people/pages/test_two_factor.py::test_where_codes_are_required_staff_is_led_to_the_page_that_sets_them_up",
    ),
    "session_idle_days": (f"{EFFECTS}::test_who_does_not_come_for_so_many_days_is_signed_out",),
    "session_days": (f"{EFFECTS}::test_after_so_many_days_everybody_signs_in_again",),
    "photos": (f"{EFFECTS}::test_photos_and_recordings_are_kept_in_the_folders_that_are_set",),
    "rejected_photo_days": (f"{EFFECTS}::test_files_of_a_rejected_photo_and_recording_stay_for_so_many_days",),
    "recordings": (f"{EFFECTS}::test_photos_and_recordings_are_kept_in_the_folders_that_are_set",),
    "photo_memory_mb": (
        f"{EFFECTS}::test_what_is_decoded_shares_so_much_memory",
        "tests/platform/sandbox/test_memory_budget.py::test_what_is_held_is_not_given_twice",
    ),
    "pending_photos": (
        "tests/contributions/api/test_quotas.py::test_who_is_over_the_quota_is_told_how_many_wait_and_can_withdraw_one",
    ),
    "pending_recordings": (f"{EFFECTS}::test_one_person_has_so_many_recordings_waiting",),
    "pending_submissions": (
        "tests/contributions/api/test_quotas.py::test_a_decision_makes_room_and_each_person_has_a_quota_of_their_own",
    ),
    "pending_reports": (
        "tests/contributions/api/test_quotas.py::test_twenty_reports_at_once_pass_the_bound_of_all_only_as_often_as_it_allows",
    ),
    "missing_words": (
        (
            "tests/contributions/pages/test_missing_words.py"
            "::test_a_server_that_counts_what_is_not_found_says_so_and_whom_to_ask_for_an_invitation"
        ),
    ),
    "offline": (
        "tests/dictionary/pages/test_offline.py::test_where_the_site_is_not_to_work_offline_the_worker_tidies_up_and_goes",
    ),
    "embed": ("tests/dictionary/pages/test_embed.py::test_an_operator_can_turn_it_off",),
    "contact": ("tests/contributions/pages/test_missing_words.py::test_the_sign_up_page_says_whom_to_ask",),
    "contribution_licence": (
        "tests/contributions/api/test_licences.py::test_another_setting_touches_nothing_that_is_there",
    ),
    "smtp": ("tests/support/mail_site.py::open_mail_site", MAILS),
    "mail_from": ("tests/support/mail_site.py::open_mail_site", MAILS),
    "wiki_en": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_the_operators_choices_become_sources"),
    "wiki_as": (
        CHOICES,
        "tests/app/cli/test_articles.py::wiki",
        "tests/app/cli/test_articles.py::test_articles_are_fetched_ahead_once_and_can_be_purged",
    ),
    "wiki_bn": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_the_operators_choices_become_sources"),
    "wiki_contact": (
        CHOICES,
        "tests/encyclopedia/service/test_articles.py::test_requests_keep_their_distance_over_all_wikis",
    ),
    "zim_en": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_the_operators_choices_become_sources"),
    "zim_as": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_the_operators_choices_become_sources"),
    "zim_bn": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_the_operators_choices_become_sources"),
    "articles_en": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_sources_are_asked_in_their_order"),
    "articles_as": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_sources_are_asked_in_their_order"),
    "articles_bn": (CHOICES, "tests/encyclopedia/service/test_articles.py::test_sources_are_asked_in_their_order"),
    "article_days": (
        CHOICES,
        "tests/encyclopedia/service/test_articles.py::test_a_stale_article_is_shown_at_once_and_renewed",
    ),
    "article_missing_hours": (
        CHOICES,
        "tests/encyclopedia/service/test_articles.py::test_that_there_is_nothing_is_kept_too",
    ),
    "article_length": (
        CHOICES,
        "tests/encyclopedia/service/test_articles.py::test_extracts_keep_to_the_length_that_is_set_now",
    ),
    "wiki_connect_seconds": (
        CHOICES,
        "tests/encyclopedia/service/test_mediawiki.py::test_a_wiki_whose_name_is_not_found_in_time_is_given_up",
    ),
    "wiki_total_seconds": (CHOICES, "tests/encyclopedia/service/test_mediawiki.py::test_a_wiki_that_hangs_is_given_up"),
}
"""For each setting what shows its effect; the first of them sets it, others show what comes of that."""


def attributes_read(tree: ast.AST) -> set[str]:
    """List the names of all attributes that are read in some code."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}


def read_of_settings(tree: ast.AST) -> set[str]:
    """List the attributes that some code reads of what it calls its settings."""
    read = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.func if isinstance(node.value, ast.Call) else node.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if "settings" in name:
                read.add(node.attr)
    return read


def read_by_properties() -> dict[str, set[str]]:
    """List for each property of the settings what it is put together from, directly or by other properties."""
    body = ast.parse(TABLE.read_text(encoding="utf-8"))
    (settings,) = [node for node in body.body if isinstance(node, ast.ClassDef) and node.name == Settings.__name__]
    read = {node.name: attributes_read(node) for node in settings.body if isinstance(node, ast.FunctionDef)}
    for _ in read:
        for names in read.values():
            names |= {more for each in names & read.keys() for more in read[each]}
    return read


def find_read_settings() -> set[str]:
    """List the settings that the program reads outside their own file, by themselves or by a property."""
    files = [file for file in PACKAGE.rglob("*.py") if file != TABLE]
    names = {name for file in files for name in read_of_settings(ast.parse(file.read_text(encoding="utf-8")))}
    properties = read_by_properties()
    return names | {name for each in names & properties.keys() for name in properties[each]}


def test_the_program_reads_every_setting() -> None:
    assert Settings.model_fields.keys() - find_read_settings() == set()


def test_the_table_names_tests_of_every_setting() -> None:
    assert SHOWN.keys() == Settings.model_fields.keys()


def test_the_tests_of_a_setting_exist_and_set_its_value(subtests: pytest.Subtests) -> None:
    for name, tests in SHOWN.items():
        with subtests.test(name):
            for each in tests:
                assert each.partition("::")[2] in list_functions(each.partition("::")[0]), each

            file = tests[0].partition("::")[0]
            text = (ROOT / file).read_text(encoding="utf-8")
            settings = (f"ABHIDHAN_{name.upper()}", f"{name}=", f'"{name}"', f'"{name.upper()}"')
            assert any(each in text for each in settings), f"{file} does not name {name}"


@cache
def list_functions(file: str) -> set[str]:
    """Return the names of the functions of a file of tests."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
