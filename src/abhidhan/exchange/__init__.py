"""TODO exchange."""
