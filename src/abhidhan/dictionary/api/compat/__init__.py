"""The .php addresses of the dictionary, which clients of XOBDO use."""
