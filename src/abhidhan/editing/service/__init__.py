"""Editing of records, and reading of their history."""
