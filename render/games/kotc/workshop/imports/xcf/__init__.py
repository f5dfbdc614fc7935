"""Cards of GIMP files: what the layers of the game's template say."""
