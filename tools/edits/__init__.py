"""SEARCH/REPLACE edits: read, located and applied in memory; nothing here touches a disk."""

from tools.edits.apply import Applied, Edited, apply_edits
from tools.edits.locate import Fit

__all__ = ["Applied", "Edited", "Fit", "apply_edits"]
