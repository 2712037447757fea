"""The database: the only folder that knows SQLAlchemy and SQL."""
