"""The OpenAPI page, made from the operations and the types on the wire."""

from functools import cache
from typing import Any

import msgspec

from rowlock import __version__
from rowlock.server import protocol
from rowlock.server.api import OPERATIONS, Operation
from rowlock.server.refusal import CODES

# Any request can meet these.
EVERYWHERE = ("message", "too-large", "too-fast")


@cache
def document() -> dict[str, Any]:
    types = sorted(
        {one for operation in OPERATIONS for one in (operation.gives, operation.takes) if one} | {protocol.Problem},
        key=lambda one: one.__name__,
    )
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rowlock", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.answer.__name__,
        "summary": operation.about,
        "responses": {str(operation.status): _success(operation, refs), **_refusals(operation, refs)},
    }
    if "{table}" in operation.path:
        code = {"type": "string", "minLength": 1, "maxLength": 16}
        described["parameters"] = [{"name": "table", "in": "path", "required": True, "schema": code}]
    if operation.takes:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": refs[operation.takes]}},
        }
    return described


def _success(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    if operation.gives is None:
        content: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
    else:
        content = {"application/json": {"schema": refs[operation.gives]}}
    return {"description": "done", "content": content}


def _refusals(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*EVERYWHERE, *operation.refusals):
        if operation.takes or code not in ("message", "too-large"):
            by_status.setdefault(CODES[code][0], []).append(code)
    return {
        str(status): {
            "description": "; ".join(f"{code}: {CODES[code][1]}" for code in codes),
            "content": {"application/json": {"schema": refs[protocol.Problem]}},
        }
        for status, codes in sorted(by_status.items())
    }
