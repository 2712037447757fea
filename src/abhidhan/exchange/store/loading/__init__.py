"""TODO exchange/store/loading."""
