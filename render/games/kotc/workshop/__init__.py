"""What the editors of the game use now and then: import of editions and pictures, migrate, upgrade, suggest."""
