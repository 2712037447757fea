"""TODO editing/pages."""
