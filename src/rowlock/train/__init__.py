"""Training of the networks: self-play, gradient, training runs."""
