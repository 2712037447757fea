"""Letters: clean-up, keys for finding, alphabetical order, romanization, similarity."""
