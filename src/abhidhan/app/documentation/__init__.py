"""The OpenAPI document and the pages that explain the API."""
