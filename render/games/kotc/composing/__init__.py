"""Ability texts made of components, and components found in ability texts: each is the way back of the other."""
