"""Readers of exported dictionaries, which search like the programs that open them: a text leads to articles."""

import json
import re
import zipfile
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FindArticles = Callable[[str], list[str]]
"""Function that returns the articles for a text, or an empty list."""

ASCII_LOWER_CASE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")


def open_stardict(file: Path) -> FindArticles:
    """Search `.idx` and `.syn` by bisection in StarDict's order, like sdcv and KOReader."""
    with zipfile.ZipFile(file) as packed:
        parts = {Path(name).suffix: packed.read(name) for name in packed.namelist()}
    headwords = [(each[1], each[2]) for each in re.finditer(rb"([^\0]+)\0(.{8})", parts[".idx"], re.DOTALL)]
    synonyms = [(each[1], each[2]) for each in re.finditer(rb"([^\0]+)\0(.{4})", parts[".syn"], re.DOTALL)]
    counts = dict(line.split("=", 1) for line in parts[".ifo"].decode().splitlines() if "=" in line)
    assert (len(headwords), len(synonyms)) == (int(counts["wordcount"]), int(counts["synwordcount"]))

    def find_articles(text: str) -> list[str]:
        places = list(_bisect(headwords, text))
        places += [headwords[int.from_bytes(number)][1] for number in _bisect(synonyms, text)]
        spans = [(int.from_bytes(place[:4]), int.from_bytes(place[4:])) for place in places]
        return [parts[".dict"][start : start + size].decode() for start, size in spans]

    return find_articles


def _bisect(entries: list[tuple[bytes, bytes]], text: str) -> Iterator[bytes]:
    asked = text.encode()
    order = (asked.translate(ASCII_LOWER_CASE), asked)
    found = bisect_left(entries, order, key=lambda entry: (entry[0].translate(ASCII_LOWER_CASE), entry[0]))
    while found < len(entries) and entries[found][0] == asked:
        yield entries[found][1]
        found += 1


def open_dsl(file: Path, language: str) -> FindArticles:
    """Read the cards of a language: unindented lines are the headwords of the indented text below them."""
    with zipfile.ZipFile(file) as packed:
        text = packed.read(f"abhidhan-{language}.dsl").decode("utf-16")
    cards: dict[str, list[str]] = {}
    for heads, body in re.findall(r"((?:^[^#\t\r\n].*\r\n)+)((?:^\t.*\r\n)+)", text, re.MULTILINE):
        names = re.sub(r"\\(.)", r"\1", heads).split("\r\n")[:-1]
        for name in names:
            cards.setdefault(name, []).append(f"{names[0]}\n{body}")
    return lambda asked: cards.get(asked, [])


def open_yomitan(file: Path) -> FindArticles:
    """Read the term banks: a form leads to its term, which has the article."""
    rows: dict[str, list[Any]] = {}
    with zipfile.ZipFile(file) as packed:
        for name in packed.namelist():
            if name.startswith("term_bank"):
                for term, _, _, _, _, glossary, _, _ in json.loads(packed.read(name)):
                    rows.setdefault(term, []).extend(glossary)

    def find_articles(text: str) -> list[str]:
        found = []
        for each in rows.get(text, []):
            found += find_articles(str(each[0])) if isinstance(each, list) else [f"{text}: {each}"]
        return found

    return find_articles
