"""Pages of publishing for browsers."""
