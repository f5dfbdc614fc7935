"""What everything else stands on: lengths and boxes, findings, files, processes. Nothing of cards, pictures or PDF."""
