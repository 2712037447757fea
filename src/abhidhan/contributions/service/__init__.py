"""Accept submissions, and apply the decisions of editors."""
