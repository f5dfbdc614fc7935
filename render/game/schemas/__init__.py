"""JSON Schemas (2020-12) of the files of sets, for editors: what every game has; games add what is theirs."""
