"""/mcp: the dictionary for assistants, by the Model Context Protocol; reading only."""
