"""TODO dictionary/store."""
