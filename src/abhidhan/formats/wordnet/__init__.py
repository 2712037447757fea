"""Princeton WordNet's own files: read."""
