"""Word files (DOCX) as blocks: the package, its styles and numbers, and the XML of its body."""
