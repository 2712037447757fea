"""Bodies of requests about submissions, of whatever kind they are."""
