"""The sides of cards, laid out one by one: a template with the values and pictures of a card becomes a scene."""
