"""Reader of PDF files, and pictures of their pages."""
