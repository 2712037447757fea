"""HTTP requests and responses: middleware, parameters, errors, caching, rate limits, forms, rendering of pages."""
