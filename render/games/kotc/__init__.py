"""*Keeper of the Cards*: its card files, the grammar of its ability texts, and what its cards look like."""
