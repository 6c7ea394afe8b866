"""What the champion evaluates with: features, layers, weights, look-ahead."""
