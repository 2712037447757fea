"""Statements of what concerns every package: a copy of personal data, the deletion of an account, monitoring."""
