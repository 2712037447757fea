"""Addresses of people and accounts for programs."""
