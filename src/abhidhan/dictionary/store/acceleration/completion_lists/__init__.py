"""TODO dictionary/store/acceleration/completion_lists."""
