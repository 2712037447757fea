"""TODO dictionary."""
