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
  const { message } = thrown as { readonly message?: unknown };
  const text = (typeof message === 'string' ? message : toError(thrown).message).split('\n')[0] ?? '';
  return text.startsWith('No such key: index')
    ? text.slice('No such key: '.length)
    : text.replace(/^No/, 'no');
}

/** Why an expression cannot be compiled, and where, as Kubernetes shows it. */
export function compileMessage(thrown: unknown, source: string): string {
  const { range } = thrown as { readonly range?: { readonly start: number } };
  const start = Math.min(range?.start ?? 0, source.length);
  const before = source.slice(0, start);
  const line = before.split('\n').length;
  const column = start - (before.lastIndexOf('\n') + 1);
  const text = celMessage(thrown)
    .replace(/^no such key: (.*)$/, "undefined field '$1'")
    .replace(/^Unknown variable: (.*)$/, "undeclared reference to '$1' (in container '')");
  const shown = source.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${text}\n | ${shown}\n | ${'.'.repeat(column)}^`;
}
