"""Analyze Assamese text: spelling, sounds, inflection, transliteration and alphabetical order.

Entry points: `normalization` (Unicode, scripts, words), `keys` and `search_keys` (what a word is found by),
`inflection` and `lemmas` (from a form to its headword), `inflected_forms` (from a headword to its forms), `romanize`,
`transliteration` and `transliteration_model` (Roman letters), `weighted_distance` and `phrase_similarity` (comparing),
`collation` (order), `word_frequency`. The rules are files in `tables`.

All are functions of their arguments and of those tables. Nothing here knows a database, a network or Abhidhan.
"""
