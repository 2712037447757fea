"""The documentation of the API: its OpenAPI document, and the page on which each address can be read and tried."""
