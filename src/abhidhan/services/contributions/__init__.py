"""What people hand in, and what editors decide about it."""
