"""Words, ideas and phrases for readers: look-up, search, browsing, completion, flashcards, transliteration.

Entry points: `service/lookup.py` (look-up of a query), `service/search.py`, `service/completions.py`,
`service/dictionary.py` (read access for handlers).

Tables: reads `word`, `sense`, `idea`, `phrase`, `card` and related tables; writes derived tables (`store/indexes`),
`record_change`, `daily_choice` and `missing_word`.

Must not change records: editing and exchange do, and `store/indexes` follows.
"""
