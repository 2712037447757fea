"""TODO media/store."""
