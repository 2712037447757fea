"""The OpenAPI document and the documentation pages of the API."""
