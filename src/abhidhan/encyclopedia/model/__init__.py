"""Rules and values of the encyclopedia: no input or output."""
