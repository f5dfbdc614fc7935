"""Card files, deck files and folders of sets, as they are written. No rule of an edition."""
