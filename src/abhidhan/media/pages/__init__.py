"""Pages of photos and recordings."""
