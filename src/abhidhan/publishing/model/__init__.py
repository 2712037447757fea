"""Domain model of publishing; no input or output."""
