"""The documents name the settings, addresses, files and commands that exist."""

import re
from pathlib import Path

from litestar.di import Provide

from abhidhan.app.api_handlers import COMPAT_HANDLERS, REST_HANDLERS
from abhidhan.app.documentation import openapi
from abhidhan.records.settings import Settings

ROOT = Path(__file__).parents[2]
WALKS = [(ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "docs/adding-a-language.md")]
MADE_BY_WALKS = set(re.findall(r"New file\s+`([^`]+)`", "\n".join(WALKS)))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def format_default(default: object) -> str:
    if isinstance(default, bool):
        return f"`{int(default)}`"
    return "" if default in {"", ()} else f"`{default}`"


def test_every_setting_is_documented_with_its_default_and_meaning() -> None:
    documented = (ROOT / "docs/settings.md").read_text()

    rows = {
        f"| `ABHIDHAN_{name.upper()}` | {format_default(field.default)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    }
    assert rows <= set(documented.splitlines())


def test_no_other_setting_is_documented() -> None:
    documented = (ROOT / "docs/settings.md").read_text()

    names = set(re.findall(r"^\| `ABHIDHAN_(\w+)`", documented, re.MULTILINE))
    assert names == {name.upper() for name in Settings.model_fields}


def test_every_address_is_documented() -> None:
    documented = (ROOT / "docs/api.md").read_text()

    dependencies = {"dictionary": Provide(lambda: None, sync_to_thread=False)}
    document = openapi.describe_handlers((*COMPAT_HANDLERS, *REST_HANDLERS), version="0", dependencies=dependencies)
    missing = [
        f"{method} {path}"
        for path, method, _ in openapi.iter_operations(document)
        if f"{method} {path}" not in documented
    ]
    assert missing == []


def test_links_between_documents_lead_to_files_that_exist() -> None:
    for document in DOCUMENTS:
        text = document.read_text()

        targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", text)
        files = re.findall(r"`((?:docs|src|packages|tests|tools|bench|deploy)/[\w./-]+)`", text)
        missing = [target for target in targets if not (document.parent / target).exists()]
        missing += [file for file in files if file not in MADE_BY_WALKS and not (ROOT / file).exists()]
        assert missing == [], document


PACKAGES = "|".join(sorted(path.name for path in (ROOT / "src/abhidhan").iterdir() if path.is_dir()))


def test_files_that_are_named_by_their_package_exist() -> None:
    folders = (ROOT / "src/abhidhan", ROOT / "packages/assamese/src")
    path = re.compile(rf"`((?:{PACKAGES}|assamese)/[\w/.]*\.(?:py|toml|html|js|css|bin))`")
    for document in {*DOCUMENTS} - {ROOT / "CHANGELOG.md"}:
        files = set(path.findall(document.read_text()))
        missing = [file for file in files if not any((folder / file).exists() for folder in folders)]
        assert missing == [], document


def test_documents_name_only_commands_of_make_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()

    named = set(re.findall(r"`make ([a-z-]+)`", " ".join(path.read_text() for path in DOCUMENTS)))
    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
