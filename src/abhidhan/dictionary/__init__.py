"""Words, ideas and phrases as readers find them: look-up, search, browsing, completion, flashcards, transliteration.

Entry points: `service/lookup.py` (look up a query), `service/search.py`, `service/completions.py`,
`service/dictionary.py` (what handlers read from).
Tables: it reads `word`, `sense`, `idea`, `phrase`, `card` and their like; it writes derived tables
(`store/indexes`), `record_change`, `daily_choice` and `missing_word`.
Must not change records: editing and exchange do, and `store/indexes` follows.
"""
