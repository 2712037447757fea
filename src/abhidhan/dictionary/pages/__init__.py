"""Pages of the dictionary for browsers."""
