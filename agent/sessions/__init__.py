"""Sessions: what happened, written as it happens, and how a conversation is taken up again."""
