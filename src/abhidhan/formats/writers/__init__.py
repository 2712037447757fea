"""Formats that are only written, and functions that all writers share."""
