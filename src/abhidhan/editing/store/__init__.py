"""Statements of editing: the only SQL."""
