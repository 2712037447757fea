"""Lists of words as files for browsers."""
