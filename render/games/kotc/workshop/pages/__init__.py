"""The game's own pages as trees and sections, whatever format they are saved in. No rule of the game."""
