"""The edge: what must hold for every request, whatever answers it."""
