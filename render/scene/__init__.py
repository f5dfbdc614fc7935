"""What a face looks like, complete and in mm, its proofs, and where it is placed. No template and no file format."""
