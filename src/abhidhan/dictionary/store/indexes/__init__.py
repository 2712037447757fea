"""Derived tables that make look-ups quick: each follows the records, and can be made anew."""
