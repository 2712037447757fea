"""Contributions of every kind that wait for review, and the quotas of their senders.

Used by people, editing, media and contributions, so it must not import them.
Entry points: `service.py` (quotas, and the number of contributions that wait for an editor), `store.py`.
Tables: `submission`; it counts rows of `photo` and `recording`.
Must not approve or reject anything: contributions and media do that.
"""
