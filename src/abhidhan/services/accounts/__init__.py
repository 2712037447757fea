"""Accounts: signing in, the people who may, and their own data."""
