"""Abhidhan: a dictionary and language look-up service, mainly for Assamese and the languages around it."""
