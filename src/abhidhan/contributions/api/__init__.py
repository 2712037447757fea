"""Addresses of contributions for programs."""
