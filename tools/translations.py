"""Maintain the translations: collect the texts to translate, and compile the catalogues.

    python tools/translations.py update    collect texts of templates, messages and lists into every messages.po
    python tools/translations.py compile   compile every messages.po into messages.mo

Needs Babel. A translator edits src/abhidhan/platform/http/locale/LANGUAGE/LC_MESSAGES/messages.po.
"""

import io
import json
import sys
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "src/abhidhan"
PAGES: Final = PACKAGE / "platform/http"
DATA: Final = PACKAGE / "data"
LISTS: Final = {"POS", "GEN", "CTX", "VRT", "RIC", "HAC", "FJCAT"}
"""Lookup lists whose values are shown to readers."""

MESSAGE_FUNCTIONS: Final = {"sentence": None, "refuse": (2,), "_problem": (2,), "count_try": (2,)}
"""Functions whose argument is a message to translate, with the position of the argument (None: the first)."""

OPTIONS: Final = {"trimmed": "false", "newstyle_gettext": "true"}


def collect_texts() -> Catalog:
    """Collect the texts of templates, and the names of languages, list values and card sets."""
    catalog = Catalog(project="Abhidhan", charset="utf-8", fuzzy=False)
    for file in sorted(PACKAGE.glob("*/*/templates/*.html"), key=attrgetter("name")):
        body = io.BytesIO(file.read_bytes())
        for line, text, comments, _ in extract("jinja2.ext:babel_extract", body, options=OPTIONS):
            catalog.add(text, locations=[(f"templates/{file.name}", line)], auto_comments=comments)
    for name, text in iter_names():
        catalog.add(text, locations=[(name, 0)])
    return catalog


def add_messages(catalog: Catalog) -> None:
    """Add the messages of the program; pages show untranslated ones in English."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for line, text, comments, _ in extract("python", io.BytesIO(path.read_bytes()), keywords=MESSAGE_FUNCTIONS):
            if text:
                catalog.add(text, locations=[(str(path.relative_to(PACKAGE)), line)], auto_comments=comments)


def iter_names() -> Iterator[tuple[str, str]]:
    """Yield the translatable names of the starter data, each with its file."""
    for name in ("languages", "lists", "cards", "sources"):
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["record"] == "list_item":
                yield from ((f"{name}.jsonl", record["value"]) for _ in [0] if record["list"] in LISTS)
                # Used in searches: `pos:noun` matches all kinds of nouns.
                yield from ((f"{name}.jsonl", record["code"]) for _ in [0] if record["list"] == "POS")
            elif record["record"] in {"language", "card_set"}:
                yield from ((f"{name}.jsonl", record[key]) for key in ("name", "description") if record.get(key))
            elif record.get("notice"):
                yield f"{name}.jsonl", record["notice"]


def find_catalogues() -> Iterator[Path]:
    """Yield the catalogues that translators edit."""
    yield from sorted(PAGES.glob("locale/*/LC_MESSAGES/messages.po"))


def read_catalogue(file: Path) -> Catalog:
    """Read a catalogue."""
    with file.open("rb") as stream:
        return read_po(stream, locale=file.parent.parent.name)


def compile_catalogue(catalog: Catalog) -> bytes:
    """Compile a catalogue, without fuzzy translations."""
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def update() -> None:
    """Update every catalogue with the current texts; existing translations are preserved."""
    template = collect_texts()
    add_messages(template)
    for file in find_catalogues():
        catalog = read_catalogue(file)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        with file.open("wb") as stream:
            write_po(stream, catalog, width=110, sort_output=True, omit_header=False, include_lineno=False)


def main() -> None:
    """Run a command, and print the number of untranslated texts."""
    work = sys.argv[1:]
    if work == ["update"]:
        update()
    elif work != ["compile"]:
        raise SystemExit(__doc__)
    for file in find_catalogues():
        file.with_suffix(".mo").write_bytes(compile_catalogue(read_catalogue(file)))
        missing = sum(1 for message in read_catalogue(file) if message.id and not message.string)
        print(f"{file.parent.parent.name}: {missing} texts without a translation")


if __name__ == "__main__":
    main()
