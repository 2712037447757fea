"""TODO exchange/store."""
