"""Statements of the dictionary: the only SQL."""
