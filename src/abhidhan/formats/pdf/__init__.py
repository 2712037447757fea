"""Printed dictionary, typeset by Typst: writer."""
