"""Write-only formats, and shared parts of all writers."""
