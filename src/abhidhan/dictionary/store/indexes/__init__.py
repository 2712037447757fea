"""Derived tables that look-ups read; they are updated with the records, and can be rebuilt from them.

Each module derives the rows of a table from records, writes them, and compares them with the stored rows.
`registry.INDEXES` lists them all, along with those of `dictionary/store/acceleration`, which search does not require.
"""
