"""TODO submissions/store."""
