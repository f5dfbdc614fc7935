"""Files for printers, shops, cutting machines and virtual tables, made of scenes on sheets."""
