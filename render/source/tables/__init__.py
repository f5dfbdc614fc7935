"""Spreadsheets as card files: their cells as nodes that know their place. CSV, ODS and XLSX; no card."""
