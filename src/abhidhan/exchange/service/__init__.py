"""TODO exchange/service."""
