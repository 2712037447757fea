"""The dictionary as it is read: one file for each thing that is asked."""
