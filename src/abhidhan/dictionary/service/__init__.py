"""Look-up, search, browsing and completion for readers of the dictionary."""
