"""TODO editing/store/records."""
