"""The OpenAPI document, made from the operations and the types of the protocol."""

from functools import cache
from typing import Any

import msgspec

from rowlock import __version__
from rowlock.server import protocol
from rowlock.server.api import OPERATIONS, Operation
from rowlock.server.refusal import CODES

# Codes that any request can be refused with.
COMMON_REFUSALS = ("message", "too-large", "too-fast")


@cache
def document() -> dict[str, Any]:
    types = sorted(
        {one for operation in OPERATIONS for one in (operation.response_type, operation.body_type) if one}
        | {protocol.Problem},
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
        "operationId": operation.handler.__name__,
        "summary": operation.summary,
        "responses": {str(operation.status): _success(operation, refs), **_refusals(operation, refs)},
    }
    if "{table}" in operation.path:
        code = {"type": "string", "minLength": 1, "maxLength": 16}
        described["parameters"] = [{"name": "table", "in": "path", "required": True, "schema": code}]
    if operation.body_type:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": refs[operation.body_type]}},
        }
    return described


def _success(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    if operation.response_type is None:
        content: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
    else:
        content = {"application/json": {"schema": refs[operation.response_type]}}
    return {"description": "done", "content": content}


def _refusals(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*COMMON_REFUSALS, *operation.refusals):
        if operation.body_type or code not in ("message", "too-large"):
            by_status.setdefault(CODES[code][0], []).append(code)
    return {
        str(status): {
            "description": "; ".join(f"{code}: {CODES[code][1]}" for code in codes),
            "content": {"application/json": {"schema": refs[protocol.Problem]}},
        }
        for status, codes in sorted(by_status.items())
    }
