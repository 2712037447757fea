"""TODO editing."""
