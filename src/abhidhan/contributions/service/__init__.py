"""Services for submissions and the decisions of editors."""
