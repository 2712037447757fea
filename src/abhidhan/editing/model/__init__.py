"""TODO editing/model."""
