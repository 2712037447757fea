"""Writing of records, one module for each kind, each with its entry of the history."""
