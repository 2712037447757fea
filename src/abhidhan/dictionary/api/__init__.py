"""API endpoints of the dictionary; `compat` has those that end in .php."""
