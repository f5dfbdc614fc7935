"""Building what sets declare, and only what is stale."""
