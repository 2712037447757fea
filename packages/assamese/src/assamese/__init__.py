"""Analyze Assamese text: spelling, sounds, inflection, transliteration and alphabetical order.

Entry points: `normalization` (Unicode, scripts, words), `keys` and `search_keys` (the keys that a word is found by),
`inflection` and `lemmas` (from a form to its headword), `inflected_forms` (from a headword to its forms), `romanize`,
`transliteration` and `transliteration_model` (Roman letters), `weighted_distance` and `phrase_similarity` (comparing),
`collation` (order), `word_frequency`. The rules are files in `tables`.

All functions depend only on their arguments and those tables, never on a database, a network or Abhidhan.
"""
