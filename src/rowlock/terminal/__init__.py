"""The games in a terminal: playing, drawing sheets, replaying records."""
