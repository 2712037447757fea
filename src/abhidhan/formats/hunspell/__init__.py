"""Hunspell dictionaries for spelling checkers: written."""
