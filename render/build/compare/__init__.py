"""What the cards of a set look like, and what differs from an earlier build or revision."""
