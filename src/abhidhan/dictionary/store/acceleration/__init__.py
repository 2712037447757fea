"""Acceleration: what makes look-ups faster and changes none of their answers. Search uses it through this package.

Each module can be deleted on its own: with its table, its line in `words.WORD_ACCELERATORS` or in
`indexes.registry.INDEXES`, its lines in `words.LoadedWords`, and its call sites, which do without it wherever it
answers that nothing is known (None). What each gains is in `docs/speed.md`;
`tests/dictionary/store/acceleration/test_answers.py` shows that answers are the same.
"""
