"""Cards made of what people have: files of other programs read, and written as card files that stay editable."""
