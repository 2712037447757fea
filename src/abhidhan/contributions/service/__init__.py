"""What people hand in, and what editors decide."""
