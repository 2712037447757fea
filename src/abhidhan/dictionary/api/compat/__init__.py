"""The .php endpoints of the dictionary, which clients of XOBDO use."""
