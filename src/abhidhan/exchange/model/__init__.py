"""Rules and values of imports and exports: no input or output."""
