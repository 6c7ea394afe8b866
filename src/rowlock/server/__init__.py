"""Tables for people far apart: events, seats, storage, HTTP and WebSocket."""
