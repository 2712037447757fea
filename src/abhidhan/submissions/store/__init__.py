"""Statements of submissions: the only SQL."""
