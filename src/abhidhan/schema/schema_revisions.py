"""The revision numbers of the database schema (`migrations`)."""

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
    "0044",
    "0045",
)
"""All known revisions, oldest first. A database with a higher one was written by a newer version; one with a lower one
is older than the first revision, which creates all tables (`r0034_baseline.py`).
"""
