"""A pydantic model's JSON schema, without what neither a prompt nor a parser reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel


def plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Give the model's schema: no titles, no empty defaults, an optional value's type bare.

    An optional value's null is not told: leaving the parameter out means the same, and the
    executor reads a null as left out.
    """
    schema = model.model_json_schema()
    properties = {name: _plain(spec) for name, spec in schema.get("properties", {}).items()}
    plain: dict[str, Any] = {"type": "object", "properties": properties}
    plain["required"] = list(schema.get("required", ()))
    if "$defs" in schema:
        plain["$defs"] = schema["$defs"]
    return plain


def _plain(spec: dict[str, Any]) -> dict[str, Any]:
    spec = {key: value for key, value in spec.items() if key != "title"}
    if spec.get("default", ...) in (None, "", []):
        del spec["default"]
    branches = [b for b in spec.get("anyOf", ()) if b.get("type") != "null"]
    if len(branches) == 1:
        del spec["anyOf"]
        spec |= branches[0]
    return spec
