"""Exact values: the expected final score of perfect play, if no other player closes rows or ends the game."""
