"""Generates the client's types from the server's protocol: python web/protocol.py > web/src/protocol.ts"""

import sys
from typing import Any

import msgspec

from rowlock.server import protocol
from rowlock.server.api import OPERATIONS
from rowlock.server.refusal import CODES

HEAD = "// Generated from the server's protocol by web/protocol.py; do not edit.\n"
OTHERS = (protocol.Problem, protocol.LocalGames, protocol.LocalVariant)  # no operation mentions these
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """All types of the protocol, in alphabetical order."""
    bodies = {one for operation in OPERATIONS for one in (operation.response_type, operation.body_type) if one}
    _, schemas = msgspec.json.schema_components(
        [*sorted(bodies, key=lambda one: one.__name__), *OTHERS, protocol.AnyMessage, protocol.AnyReply],
        ref_template="{name}",
    )
    parts = [HEAD, f"export const VERSION = {protocol.VERSION};\n"]
    parts += [_interface(name, schema, schemas) for name, schema in sorted(schemas.items())]
    for name, union in (("AnyMessage", protocol.AnyMessage), ("AnyReply", protocol.AnyReply)):
        parts.append(f"export type {name} = {' | '.join(one.__name__ for one in union.__args__)};\n")
    codes = "".join(f"\n  | '{code}'" for code in CODES)
    parts.append(f"export type Code ={codes};\n")
    return "\n".join(parts)


def _interface(name: str, schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    omits = schema.get("additionalProperties") is False or getattr(protocol, name).__struct_config__.omit_defaults
    lines = [f"/** {schema['description']} */", f"export interface {name} {{"]
    for field, field_schema in schema["properties"].items():
        # Most replies contain every field but those that may be unset, which have no default in the schema; in messages
        # of a client, fields with a default are optional.
        optional = "?" if field not in schema["required"] and (omits or "default" not in field_schema) else ""
        lines.append(f"  {field}{optional}: {_type(field_schema)};")
    return "\n".join([*lines, "}", ""])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"'{one}'" if isinstance(one, str) else str(one) for one in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return SIMPLE.get(str(kind), "unknown")


if __name__ == "__main__":
    sys.stdout.write(typescript())
