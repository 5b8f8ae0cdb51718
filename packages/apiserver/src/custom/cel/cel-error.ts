import { WindlassError } from '@windlass/base';

/** An expression cannot be compiled, or its evaluation failed. */
export class CelError extends WindlassError {
  readonly failure: 'compile' | 'evaluate' | 'cost';

  constructor(failure: CelError['failure'], message: string, cause?: unknown) {
    super(message, { code: 'CEL', cause });
    this.failure = failure;
  }
}
