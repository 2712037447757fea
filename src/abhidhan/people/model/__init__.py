"""Values and rules of user accounts, without I/O."""
