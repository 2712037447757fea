"""Look-up, search, browsing and completion: what readers ask of the dictionary."""
