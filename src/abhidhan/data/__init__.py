"""The starter dictionary, with its licence."""
