"""Indexes: everything that is derived from records and stored, so that it can be found quickly. Nobody else writes it.

One module for each knows what its rows are derived from, writes them for given records and for all of them, and
compares what is stored with what it should be. `renewal.INDEXES` lists them all, with those of
`dictionary/store/acceleration`, which search can do without.
"""
