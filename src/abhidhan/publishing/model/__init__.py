"""Rules and values of publishing: no input or output."""
