"""Writers of DoclingDocuments: Markdown, what docling-core writes, and pictures as files."""
