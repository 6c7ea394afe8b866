"""The OpenAPI document, made from the operations and the types of the protocol."""

from functools import cache
from typing import Any

import msgspec

from rowlock import __version__
from rowlock.server import protocol
from rowlock.server.api import OPERATIONS, Operation
from rowlock.server.refusal import CODES

BODY_REFUSALS = ("message", "too-large", "origin")  # codes with which any request with a body can be refused


@cache
def document() -> dict[str, Any]:
    types = sorted(
        {used for operation in OPERATIONS for used in (operation.response_type, operation.body_type) if used}
        | {protocol.Problem},
        key=lambda protocol_type: protocol_type.__name__,
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
    description: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": operation.summary,
        "responses": {str(operation.status): _success(operation, refs), **_refusals(operation, refs)},
    }
    if "{table}" in operation.path:
        # As `protocol.TableCode`
        code_schema = {"type": "string", "minLength": 1, "maxLength": 16}
        description["parameters"] = [{"name": "table", "in": "path", "required": True, "schema": code_schema}]
    if operation.body_type:
        content = {"application/json": {"schema": refs[operation.body_type]}}
        description["requestBody"] = {"required": True, "content": content}
    return description


def _success(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    schema = {"type": "string"} if operation.response_type is None else refs[operation.response_type]
    return {"description": "done", "content": {operation.media_type: {"schema": schema}}}


def _refusals(operation: Operation, refs: dict[type, Any]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*(BODY_REFUSALS if operation.body_type else ()), "too-fast", *operation.refusals):
        status, meaning, _ = CODES[code]
        by_status.setdefault(status, []).append(f"{code}: {meaning}")
    return {
        str(status): {
            "description": "; ".join(descriptions),
            "content": {"application/json": {"schema": refs[protocol.Problem]}},
        }
        for status, descriptions in sorted(by_status.items())
    }
