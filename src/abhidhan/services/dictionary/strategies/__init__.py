"""Match strategies: each is one function that finds words for a batch of texts; `registry.py` lists them in order."""
