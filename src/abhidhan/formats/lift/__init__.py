"""LIFT, the exchange format of FieldWorks: read and written."""
