"""The interactive terminal.

Law: the scrollback is the person's own; only the open end of the screen is drawn again.
"""
