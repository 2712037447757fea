"""Addresses of photos and recordings for programs."""
