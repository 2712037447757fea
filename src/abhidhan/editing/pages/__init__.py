"""Pages of editing for browsers."""
