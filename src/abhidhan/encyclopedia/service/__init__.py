"""Articles asked for, fetched, shortened and cached."""
