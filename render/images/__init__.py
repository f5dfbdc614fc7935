"""Picture files and the colors of a press: decoded, inspected, resampled, separated. No card."""
