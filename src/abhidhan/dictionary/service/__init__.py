"""TODO dictionary/service."""
