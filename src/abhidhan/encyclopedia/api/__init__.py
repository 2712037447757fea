"""Addresses of the encyclopedia for programs."""
