"""Manage accounts: a user's own, and for administrators those of others."""
