"""Statements of people and accounts: the only SQL."""
