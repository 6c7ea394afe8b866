/** Errors of requests, to the server or to the worker of local tables. */
import type { Code } from './protocol.ts';

/**
 * A request that failed: an error code of the protocol, `offline` without an answer, `unsupported` if this browser cannot do it,
 * `blocked` while an older page holds the store, `link` for a broken link to a game, `no-game` for one that is not on this device. */
export class ApiError extends Error {
  readonly code: Code | 'offline' | 'unsupported' | 'blocked' | 'link' | 'no-game';
  readonly values: Record<string, unknown>;

  constructor(code: ApiError['code'], values: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}
