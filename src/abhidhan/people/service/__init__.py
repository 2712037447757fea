"""What people do with their accounts, and administrators with those of others."""
