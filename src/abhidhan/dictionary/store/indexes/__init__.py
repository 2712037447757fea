"""Derived tables that speed up look-ups; they follow the records and can be rebuilt.

Each module defines the source of its rows, writes them and compares them. `registry.INDEXES` lists them all, along with
those of `dictionary/store/acceleration`, which search can do without.
"""
