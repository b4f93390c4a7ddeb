"""The floor of the doors: everything a person or a program meets.

Law: nothing here decides anything; the doors show what the floors below did, and pass on what
people say.
"""

from __future__ import annotations

__all__ = ["VERSION"]

VERSION = "0.1.0"
