"""File formats, one module or package each: readers that yield records, and writers that accept them.

Entry points: `registry.py` (every format that is imported or exported), `files.py` (open any file).
Tables: none. Must not import the database layer: `exchange` passes records in both directions.
"""
