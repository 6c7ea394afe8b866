"""The games: variants, the kernel that knows the rules, games, sheets and their notation. Standard library only."""
