"""Service that fetches, shortens and caches articles."""
