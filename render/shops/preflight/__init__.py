"""A finished file judged as a print shop would judge it: nothing that a file says of itself is believed."""
