"""The old place of `heading`; import it from `tools` or `tools.headings`."""

from tools.headings import heading

__all__ = ["heading"]
