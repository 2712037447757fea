"""The keys of words are the same wherever they are made, and however often a word comes."""

import pytest

from abhidhan.exchange.store.loading import parallel_keys
from abhidhan.exchange.store.loading.parallel_keys import KeyMaker, compute_keys

BATCHES = (
    [("water", "en"), ("পানী", "as"), ("water", "en"), ("Wasser", "de")],
    [("eau", "fr"), ("water", "en"), ("water", "fr"), ("জল", "as")],
)


@pytest.mark.thorough
def test_the_key_process_computes_the_same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    # With few bits, most words are taken for others.
    for bits in (2**24, 8):
        monkeypatch.setattr(parallel_keys, "PROCESS_THRESHOLD", 1)
        monkeypatch.setattr(parallel_keys, "MIN_BATCH_WORDS", 1)
        monkeypatch.setattr(parallel_keys, "FILTER_BITS", bits)
        monkeypatch.setattr("os.cpu_count", lambda: 2)
        with KeyMaker() as maker:
            for batch in BATCHES:
                maker.start_batch(batch)
            for batch in BATCHES:
                new = list(dict.fromkeys(batch))
                assert maker.finish_batch(new) == compute_keys(new)
