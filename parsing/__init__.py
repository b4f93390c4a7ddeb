"""Assistant text to blocks, in two modes that check each other."""

from parsing.blocks import Block, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.spec import Extent, Parameter, ToolSpec, specs_from_openai

__all__ = [
    "Block",
    "Extent",
    "Parameter",
    "ReasoningBlock",
    "TextBlock",
    "ToolSpec",
    "ToolUse",
    "Value",
    "specs_from_openai",
]
