"""SQL statements of imports and exports; other parts of the package have none."""
