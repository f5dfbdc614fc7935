"""Cards read back from their pictures, by the known font and places: every reading is drawn and compared."""
