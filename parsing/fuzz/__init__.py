"""Random messages of any dialect, the laws that they must keep, and the smallest that does not."""

from parsing.fuzz.grow import ALIKE, message
from parsing.fuzz.laws import Fault, LawBroken, check, fault_of
from parsing.fuzz.message import Message, cuts_of
from parsing.fuzz.reduce import smallest

__all__ = [
    "ALIKE",
    "Fault",
    "LawBroken",
    "Message",
    "check",
    "cuts_of",
    "fault_of",
    "message",
    "smallest",
]
