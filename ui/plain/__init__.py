"""The screen without a screen: the page of a task as lines written once, in colour or not."""
