"""Tables: CSV, TSV, JSON and workbooks."""
