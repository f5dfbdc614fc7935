"""What drawing programs write, rewritten in plain elements: styles, units, colors, copies, gradients, clips."""
