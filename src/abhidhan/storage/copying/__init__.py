"""Copying a whole database into another one, on the same engine or the other: every row of every table, read back."""
