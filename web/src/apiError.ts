/** Errors of requests, to the server or to the worker of local tables. */
import type { Code } from './protocol.ts';

/** A request that failed: an error code of the protocol, `offline` without an answer, or `unsupported` if this browser cannot do it. */
export class ApiError extends Error {
  readonly code: Code | 'offline' | 'unsupported';
  readonly values: Record<string, unknown>;

  constructor(code: ApiError['code'], values: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}
