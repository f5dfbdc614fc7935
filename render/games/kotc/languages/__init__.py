"""The words of editions in each language as tables: English worked out from their texts, the others from files."""
