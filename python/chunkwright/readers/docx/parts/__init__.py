"""Parts of a Word file that define things: styles, numberings and sections, read from its ZIP."""
