"""The server: tables, seats, bots, storage, HTTP and WebSocket."""
