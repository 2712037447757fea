"""The Abhidhan dictionary for AI assistants: a client of its public API that speaks the Model Context Protocol."""

__version__ = "1.0.0"
