"""What a face looks like, complete and in mm, and where it is placed. No template and no file format."""
