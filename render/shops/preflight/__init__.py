"""A finished file judged as a print shop would: nothing that a file says of itself is believed."""
