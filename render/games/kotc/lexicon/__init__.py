"""The components of an edition as people look them up: with prices and examples, found by words."""
