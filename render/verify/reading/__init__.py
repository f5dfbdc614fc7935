"""A finished PDF as plain values, instructions and the ticket that it carries. No verdict."""
