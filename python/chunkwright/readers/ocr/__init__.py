"""Recognition of text in pictures of pages: the engines, and what is asked of them."""
