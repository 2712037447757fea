"""Types that all packages share: IDs, languages, licences, roles, kinds of records, history states, errors.

Values and functions without side effects. Entry points: `kinds` (each kind of record and its fields), `errors` (every
error that a handler turns into a response), `settings` (the operator's settings).
Tables: none. Must not read or write anything, and imports no other package of abhidhan.
"""
