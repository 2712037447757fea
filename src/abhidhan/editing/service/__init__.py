"""Edit records, and read their history."""
