"""Requests and answers: the edge, parameters, errors, caching, limits, forms, rendering of pages."""
