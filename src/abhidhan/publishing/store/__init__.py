"""Statements of publishing: the only SQL."""
