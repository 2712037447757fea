"""TODO formats/wn_lmf."""
