"""Editing: records read and written as whole states, so that every change can be told, and taken back."""
