"""Which dialect a model is spoken to in: the one that was named, or the one its name tells."""

from __future__ import annotations

from agent.errors import ConfigError

USUAL = "cline"
NATIVE = "native"
"""What stands for a dialect where tools are called natively."""


def settled(told: str, model: str | None) -> str:
    """Give the dialect's own name; `auto` stays what it is as long as no model is known.

    Raises ConfigError when there is no such dialect, or none that an agent can use.
    """
    import parsing

    if told.lower() == parsing.AUTO:
        return (parsing.dialect_for_model(model) or USUAL) if model else parsing.AUTO
    try:
        name = parsing.canonical_name(told)
        parsing.dialect(name)
    except (parsing.UnknownDialect, parsing.GrammarError) as error:
        raise ConfigError(f"dialect: {error}") from error
    if name == parsing.NO_CALLS:
        raise ConfigError(
            f"dialect: in {told!r} no tool can be called, and an agent can do nothing without; "
            f"leave it out to get {USUAL}"
        )
    return name
