"""GIMP's files by their structure: layers, texts and pixels, decoded only where they are asked for. No card."""
