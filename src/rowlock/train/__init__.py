"""How the champion's weights are made."""
