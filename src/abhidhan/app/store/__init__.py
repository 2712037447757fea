"""Statements that concern all packages: export of personal data, deletion of an account, monitoring."""
