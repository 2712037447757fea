"""What editors do with records, and the history as readers see it."""
