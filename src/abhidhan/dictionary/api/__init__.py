"""Addresses of the dictionary for programs; `compat` has those that end in .php."""
