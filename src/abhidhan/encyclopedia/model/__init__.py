"""Domain model of the encyclopedia; no input or output."""
