"""What the error codes of this game mean, beside those of the core."""
