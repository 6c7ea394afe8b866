"""Writes the client's types from the protocol: python web/protocol.py > web/src/protocol.ts"""

import sys
from typing import Any

import msgspec

from rowlock.server import protocol
from rowlock.server.api import OPERATIONS
from rowlock.server.refusal import CODES

HEAD = "// Made from the server's protocol by web/protocol.py; not to be edited.\n"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    """Every type on the wire, in alphabetical order."""
    wire = {one for operation in OPERATIONS for one in (operation.response_type, operation.body_type) if one}
    _, schemas = msgspec.json.schema_components(
        [*sorted(wire, key=lambda one: one.__name__), protocol.Problem, protocol.AnyMessage, protocol.AnyReply],
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
    for field, about in schema["properties"].items():
        # Most answers are written with every field, also with those that have a default; a client may leave these out.
        optional = "?" if omits and field not in schema["required"] else ""
        lines.append(f"  {field}{optional}: {_type(about)};")
    return "\n".join([*lines, "}", ""])


def _type(about: dict[str, Any]) -> str:
    if "$ref" in about:
        return str(about["$ref"])
    if "anyOf" in about:
        return " | ".join(_type(one) for one in about["anyOf"])
    if "enum" in about:
        return " | ".join(f"'{one}'" if isinstance(one, str) else str(one) for one in about["enum"])
    kind = about.get("type")
    if kind == "array":
        if "prefixItems" in about:
            return f"[{', '.join(_type(one) for one in about['prefixItems'])}]"
        inner = _type(about["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        values = about.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return SIMPLE.get(str(kind), "unknown")


if __name__ == "__main__":
    sys.stdout.write(typescript())
