"""TODO dictionary/api/compat."""
