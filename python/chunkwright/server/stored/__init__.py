"""Answers of a store as JSON, for REST and MCP alike."""
