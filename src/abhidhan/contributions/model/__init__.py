"""Rules and values of contributions: no input or output."""
