"""Quotas of what waits, and how much waits."""
