"""Contributions of every kind that wait for review, and the quotas of their senders.

Used by people, editing, media and contributions, so it stands below them.
Entry points: `service.py` (how much waits for an editor, and how much one person may let wait), `store.py`.
Tables: `submission`; it counts rows of `photo` and `recording`.
Must not decide on anything: contributions and media do.
"""
