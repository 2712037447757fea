"""Match strategies of look-ups, from exact spelling to a guess; `registry.py` orders them."""
