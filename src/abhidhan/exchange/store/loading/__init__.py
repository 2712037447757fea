"""Bulk loading of records: many rows per statement, indexes at the end."""
