"""TODO dictionary/service/strategies."""
