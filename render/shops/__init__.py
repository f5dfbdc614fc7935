"""What print shops ask for, and what is wrong with a file for one of them."""
