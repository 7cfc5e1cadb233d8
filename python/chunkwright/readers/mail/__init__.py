"""Mail as documents: files of MIME and messages of Outlook."""
