"""Exact values: what a sheet is worth to a player who plays perfectly, alone or beside friendly others."""
