"""Addresses of publishing for programs."""
