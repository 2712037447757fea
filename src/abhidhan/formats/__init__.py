"""File formats: file to domain records and back, no database."""
