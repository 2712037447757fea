"""Service for imports, exports, backups and copies, each all or nothing."""
