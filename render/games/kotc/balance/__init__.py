"""What a deck or a set is made of, and the odds of its opening hand."""
