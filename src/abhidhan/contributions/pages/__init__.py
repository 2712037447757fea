"""Pages of contributions for browsers."""
