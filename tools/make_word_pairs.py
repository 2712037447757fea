"""Build the table of Assamese word pairs: python -m tools.make_word_pairs DATA TABLE.

DATA is a folder with the set `assamese_counts`; TABLE is usually packages/assamese/src/assamese/tables/word_pairs.bin.
The result is reproducible from the set. Takes a second.
"""

import sys
from collections import Counter
from math import log
from pathlib import Path

from assamese.reading_choice import pack_word_pairs
from tools.make_frequency import RUNNING_WORDS
from tools.transliteration.corpus import normalize_native, read_word_counts


def main(data: Path, table: Path) -> None:
    """Build and write the table."""
    words = read_word_counts(data)
    pairs: Counter[tuple[str, str]] = Counter()
    for line in (data / "assamese_counts" / "pairs.tsv").read_text(encoding="utf-8").splitlines():
        before, after, count = line.split("\t")
        pairs[normalize_native(before), normalize_native(after)] += int(count)
    attractions = {
        (before, after): log(count * RUNNING_WORDS / (words[before] * words[after]))
        for (before, after), count in pairs.items()
        if before in words and after in words
    }
    content = pack_word_pairs(attractions)
    table.write_bytes(content)
    print(f"{len(attractions)} of {len(pairs)} pairs, {len(content)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
