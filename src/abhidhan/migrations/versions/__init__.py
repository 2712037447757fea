"""The migrations, one file per revision."""
