"""The rules: variants, the kernel, games, sheets and their notation. Standard library only."""
