"""PDF files read: values, color spaces and what content draws, whichever program wrote them. Nothing is judged."""
