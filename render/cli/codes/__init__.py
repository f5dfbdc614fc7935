"""What error codes mean: explanations with examples, read from data files that the references repeat."""
