"""TODO editing/api."""
