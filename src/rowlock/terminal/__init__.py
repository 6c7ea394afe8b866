"""The games in a terminal: records replayed, sheets drawn, games played."""
