"""Lists of the first completions of common prefixes."""
