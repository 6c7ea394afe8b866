"""Exact values: the expected final score of perfect play, if no other player closes rows or ends the game."""

MISTHROW_STATES = 4  # numbers of misthrows before the end of the game; a state has a value for each of them
