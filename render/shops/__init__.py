"""What print shops ask for, and what is wrong with a file that is to go to one."""
