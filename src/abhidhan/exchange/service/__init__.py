"""Imports, exports, backups and copies, each as a whole."""
