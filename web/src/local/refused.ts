/** A refusal, with a code of the protocol. */
import type { Code } from '../protocol.ts';

export class RefusedError extends Error {
  readonly code: Code;
  readonly values: Record<string, unknown>;

  constructor(code: Code, values: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}
