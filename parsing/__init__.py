"""Assistant text to blocks, in two modes that check each other."""

from parsing.blocks import Block, Finish, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.crosscheck import Both, Divergence
from parsing.detect import detect
from parsing.foreign import ForeignCalls, foreign_calls
from parsing.options import Options, Profile
from parsing.reader import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Change,
    Delta,
    Reader,
    ReasoningDelta,
    TextDelta,
)
from parsing.registry import (
    AUTO,
    MODES,
    NO_CALLS,
    Mode,
    UnknownDialect,
    canonical_name,
    dialect,
    dialect_aliases,
    dialect_for_model,
    dialect_names,
    parse,
    reader,
    unused_plugins,
)
from parsing.spec import Extent, Parameter, ToolSpec, specs_from_openai
from parsing.spelling import Unspellable, spell_call
from parsing.table import Dialect, GrammarError
from parsing.thoughts import reasoned

__all__ = [
    "AUTO",
    "MODES",
    "NO_CALLS",
    "ArgumentsDelta",
    "Block",
    "Both",
    "CallBegan",
    "CallEnded",
    "Change",
    "Delta",
    "Dialect",
    "Divergence",
    "Extent",
    "Finish",
    "ForeignCalls",
    "GrammarError",
    "Mode",
    "Options",
    "Parameter",
    "Profile",
    "Reader",
    "ReasoningBlock",
    "ReasoningDelta",
    "TextBlock",
    "TextDelta",
    "ToolSpec",
    "ToolUse",
    "UnknownDialect",
    "Unspellable",
    "Value",
    "canonical_name",
    "detect",
    "dialect",
    "dialect_aliases",
    "dialect_for_model",
    "dialect_names",
    "foreign_calls",
    "parse",
    "reader",
    "reasoned",
    "specs_from_openai",
    "spell_call",
    "unused_plugins",
]
