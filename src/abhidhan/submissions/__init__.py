"""TODO submissions."""
