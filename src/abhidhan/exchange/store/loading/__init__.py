"""Records loaded in bulk: many rows a statement, indexes at the end."""
