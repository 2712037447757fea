"""Pages of photos and recordings for browsers."""
