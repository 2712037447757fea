"""SQL statements on tables of several packages: export of personal data, deletion of an account, monitoring."""
