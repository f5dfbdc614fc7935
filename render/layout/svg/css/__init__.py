"""CSS as drawing programs write it: style sheets, properties, colors and lengths. No element."""
