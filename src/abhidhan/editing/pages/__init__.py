"""Pages of editing."""
