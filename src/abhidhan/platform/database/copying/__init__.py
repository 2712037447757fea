"""Copies of all tables from one database to another."""
