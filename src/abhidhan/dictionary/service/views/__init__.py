"""TODO dictionary/service/views."""
