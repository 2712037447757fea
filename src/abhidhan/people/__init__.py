"""TODO people."""
