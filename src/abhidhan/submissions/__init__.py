"""Items that wait for review, of every kind, and the quotas of their senders.

Used by people, editing, media and contributions, so it stands below them.
Entry points: `service/quotas.py` (what one person may let wait), `service/waiting.py` (how much waits for an editor).
Tables: `submission`; it counts rows of `photo` and `recording`.
Must not decide on anything: contributions and media do.
"""
