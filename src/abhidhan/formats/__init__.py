"""File formats, one module or package each: readers that yield records, and writers that take them.

Entry points: `registry.py` (every format that is imported or exported), `files.py` (open any file).
Tables: none. Must not know the database: exchange passes records in both directions.
"""
