"""Tables of rows: CSV, TSV and workbooks."""
