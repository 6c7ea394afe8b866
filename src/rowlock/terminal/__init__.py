"""The terminal: playing games, drawing sheets and replaying records."""
