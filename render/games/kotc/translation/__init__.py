"""Cards in the words of another language: their texts translated, and the names that they give by hand."""
