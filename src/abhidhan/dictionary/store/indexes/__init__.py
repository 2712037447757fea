"""Derived tables that make look-ups quick: each follows the records, and can be built anew.

Each module knows what its rows are derived from, writes them and compares them. `registry.INDEXES` lists them all, with
those of `dictionary/store/acceleration`, which search can do without.
"""
