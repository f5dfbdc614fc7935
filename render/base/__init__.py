"""What every other room uses: lengths and boxes, findings, files, processes. Nothing of cards, pictures or PDF."""
