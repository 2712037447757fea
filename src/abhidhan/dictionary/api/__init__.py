"""TODO dictionary/api."""
