"""Addresses of editing for programs."""
