"""Lists of what to offer first for the beginnings that most words share."""
