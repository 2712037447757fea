"""Rules and values of the dictionary: no input or output."""
