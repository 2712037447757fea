"""TODO .."""
