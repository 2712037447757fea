"""Rules and values of the dictionary, without input or output."""
