"""TODO editing/store."""
