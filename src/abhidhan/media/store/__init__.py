"""Statements of photos and recordings: the only SQL."""
