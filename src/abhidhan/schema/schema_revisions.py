"""The steps by which a database gets its tables, by their numbers (`migrations`)."""

REVISIONS = (
    "0034",
    "0035",
    "0036",
    "0037",
    "0038",
    "0039",
    "0040",
    "0041",
    "0042",
    "0043",
)
"""Every step this program knows, oldest first. A database that names a higher one was written by a newer version; one
that names a lower one is older than the first step, which makes all tables (`r0034_baseline.py`).
"""
