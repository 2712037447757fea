"""Pages of the import and export of files: what a browser is sent."""
