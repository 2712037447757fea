"""Reading and writing of records for edits, by kind."""
