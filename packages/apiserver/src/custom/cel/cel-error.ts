import { toError, WindlassError } from '@windlass/base';

/** An expression cannot be compiled, or its evaluation failed. */
export class CelError extends WindlassError {
  readonly failure: 'compile' | 'evaluate' | 'cost';

  constructor(failure: CelError['failure'], message: string, cause?: unknown) {
    super(message, { code: 'CEL', cause });
    this.failure = failure;
  }
}

/** What the engine says, without its picture of the source, as Kubernetes begins such texts. */
export function celMessage(thrown: unknown): string {
  const text = toError(thrown).message.split('\n')[0] ?? '';
  return text.startsWith('No such key: index')
    ? text.slice('No such key: '.length)
    : text.replace(/^No/, 'no');
}
