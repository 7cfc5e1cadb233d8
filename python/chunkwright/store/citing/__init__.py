"""Citations of blocks: quotes that are found again in later versions."""
