"""TODO dictionary/pages."""
