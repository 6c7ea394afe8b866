"""Exact values: the expected final score of perfect play, alone or at a friendly table."""
