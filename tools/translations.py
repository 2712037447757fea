"""Keep the translations of the pages: collect what is to be translated, and compile what translators wrote.

    python tools/translations.py update    texts of templates, of sentences and of lists into every messages.po
    python tools/translations.py compile   every messages.po into the messages.mo that the pages read

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
"""Lookup lists whose values readers see."""

SAID: Final = {"sentence": None, "refuse": (2,), "_problem": (2,), "count_try": (2,)}
"""Functions of the program that take the pattern of a sentence, and which argument it is."""

OPTIONS: Final = {"trimmed": "false", "newstyle_gettext": "true"}


def collect() -> Catalog:
    """Collect the texts that every translation has: those of the templates, of languages, list values and card sets."""
    catalog = Catalog(project="Abhidhan", charset="utf-8", fuzzy=False)
    for file in sorted(PACKAGE.glob("*/*/templates/*.html"), key=attrgetter("name")):
        body = io.BytesIO(file.read_bytes())
        for line, text, comments, _ in extract("jinja2.ext:babel_extract", body, options=OPTIONS):
            catalog.add(text, locations=[(f"templates/{file.name}", line)], auto_comments=comments)
    for name, text in names():
        catalog.add(text, locations=[(name, 0)])
    return catalog


def add_sentences(catalog: Catalog) -> None:
    """Collect what the program says of mistakes, too; what is not translated of it, pages show in English."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for line, text, comments, _ in extract("python", io.BytesIO(path.read_bytes()), keywords=SAID):
            if text:
                catalog.add(text, locations=[(str(path.relative_to(PACKAGE)), line)], auto_comments=comments)


def names() -> Iterator[tuple[str, str]]:
    """List the names that stand in the starter data, each with the file it comes from."""
    for name in ("languages", "lists", "cards", "sources"):
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["record"] == "list_item":
                yield from ((f"{name}.jsonl", record["value"]) for _ in [0] if record["list"] in LISTS)
                # Searched by: `pos:noun` is all kinds of nouns.
                yield from ((f"{name}.jsonl", record["code"]) for _ in [0] if record["list"] == "POS")
            elif record["record"] in {"language", "card_set"}:
                yield from ((f"{name}.jsonl", record[key]) for key in ("name", "description") if record.get(key))
            elif record.get("notice"):
                yield f"{name}.jsonl", record["notice"]


def translations() -> Iterator[Path]:
    """List the files that translators edit."""
    yield from sorted(PAGES.glob("locale/*/LC_MESSAGES/messages.po"))


def read(file: Path) -> Catalog:
    """Read a translation."""
    with file.open("rb") as stream:
        return read_po(stream, locale=file.parent.parent.name)


def compiled(catalog: Catalog) -> bytes:
    """Compile a translation; what is not sure is left out."""
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def update() -> None:
    """Bring every translation up to date with the texts; what is translated stays."""
    template = collect()
    add_sentences(template)
    for file in translations():
        catalog = read(file)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        with file.open("wb") as stream:
            write_po(stream, catalog, width=110, sort_output=True, omit_header=False, include_lineno=False)


def main() -> None:
    """Do what is asked for."""
    work = sys.argv[1:]
    if work == ["update"]:
        update()
    elif work != ["compile"]:
        raise SystemExit(__doc__)
    for file in translations():
        file.with_suffix(".mo").write_bytes(compiled(read(file)))
        missing = sum(1 for message in read(file) if message.id and not message.string)
        print(f"{file.parent.parent.name}: {missing} texts without a translation")


if __name__ == "__main__":
    main()
