"""The Abhidhan dictionary for AI assistants: a client of its public API that speaks the Model Context Protocol."""

__version__ = "0.2.0"
