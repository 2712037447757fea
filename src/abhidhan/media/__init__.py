"""Photos and recordings as bytes: decoding and encoding them anew, and keeping them in a folder or an object store."""
