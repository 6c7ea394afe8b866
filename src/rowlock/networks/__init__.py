"""The neural networks of champion and scholar: features, layers, weights files, look-ahead."""
