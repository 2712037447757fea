"""File formats, one module or package each: a file becomes records, and records a file.

Entry points: `registry.py` (every format that is imported or exported), `files.py` (open any of them).
Tables: none. Must not know the database: exchange hands records over and takes them.
"""
