"""What is wrong where YAML cannot be read, or says something else than its author meant. Texts and places only."""
