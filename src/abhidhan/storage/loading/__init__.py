"""Loading records in bulk: a stream of them, in transactions of a size that suits, merged with what is there."""
