"""TODO media/api."""
