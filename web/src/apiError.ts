/** Errors of requests, to the server or to the worker of local tables. */
import type { Code } from './protocol.ts';

/** A request that failed: an error code of the protocol, or `offline` without an answer. */
export class ApiError extends Error {
  constructor(
    readonly code: Code | 'offline',
    readonly values: Record<string, unknown> = {},
  ) {
    super(code);
  }
}
