"""Statements of the encyclopedia: the only SQL."""
