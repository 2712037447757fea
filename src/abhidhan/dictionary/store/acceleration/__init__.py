"""Acceleration of look-ups without any change of their results; search uses it through this package.

Each module can be deleted on its own, with its table, its line in `words.WORD_ACCELERATORS` or in
`indexes.registry.INDEXES`, its lines in `words.NewWordNumbers`, and its call sites, which work without it if it returns
None (unknown). `docs/speed.md` lists the gain of each; `tests/dictionary/store/acceleration/test_answers.py` shows that
results are the same.
"""
