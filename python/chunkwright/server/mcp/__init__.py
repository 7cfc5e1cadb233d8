"""MCP server: tools by which agents search, read and cite a store, and read files."""
