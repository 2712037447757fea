"""Pages of people and accounts for browsers."""
