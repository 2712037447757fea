"""Statements of imports and exports: the only SQL."""
