"""Rules and values of editing: no input or output."""
