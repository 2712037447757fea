"""Services for users' own accounts and for administrators."""
