"""LIFT, the exchange format of FieldWorks: reader and writer."""
