"""Cards for virtual tables: `cards` says what a table may know of a card, `formats` lists the tables, the rest writes them."""
