// How a field's value becomes text. None of this throws, whatever the value is: a log call that fails
// takes down the code that only wanted to tell something.
import { describe, toError } from './errors.ts';

/** So many errors of one tree of causes are shown: beyond them is a circle, or nobody reads that far. */
const MAX_ERRORS = 16;

/** The value as JSON. What JSON cannot say (errors, BigInt, NaN, functions, circles) it says in words. */
export function toJson(value: unknown): string {
  return safely(
    () => JSON.stringify(value, jsonReplacer()) ?? JSON.stringify(describe(value)),
    (problem) => JSON.stringify(problem),
  );
}

/** The value for `key=value` on one line: bare where that reads well, else quoted. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Error) return quoted(safely(() => summary(value), String));
  if (typeof value === 'object' && value !== null) return printable(toJson(value));
  return typeof value === 'function' || typeof value === 'symbol' ? describe(value) : String(value);
}

/** An Error has no enumerable properties, so JSON would show `{}` for the one field that matters. */
export function errorFields(error: Error): object {
  return safely(
    () => fieldsOf(error, new Set()),
    (problem) => ({ message: problem }),
  );
}

/** The stack of the error and of each of its causes, in lines that cannot steer a terminal. */
export function stackLines(error: Error): string[] {
  const stacks = (): string =>
    causeChain(error)
      .map((each) => String(each.stack))
      .join('\ncaused by ');
  return safely(stacks, String).split('\n').map(printable);
}

/** Control characters escaped, so that no value can break the line or steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (char) =>
    char === '\n' ? '\\n' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function fieldsOf(error: Error, seen: Set<Error>): object {
  seen.add(error);
  // Only what is known to hold no secret: an HTTP error of a library may carry a whole request.
  const fields: Record<string, unknown> = { name: error.name, message: error.message };
  if ('code' in error) fields['code'] = error.code;
  fields['stack'] = error.stack;
  const nested = (value: unknown): unknown =>
    value instanceof Error && !seen.has(value) && seen.size < MAX_ERRORS
      ? fieldsOf(value, seen)
      : describe(value);
  if (error.cause !== undefined) fields['cause'] = nested(error.cause);
  if (error instanceof AggregateError) fields['errors'] = error.errors.slice(0, MAX_ERRORS).map(nested);
  return fields;
}

function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : printable(JSON.stringify(text));
}

/** The messages from the error down to its first cause, without those that a wrapper repeats. */
function summary(error: Error): string {
  let text = '';
  for (const each of causeChain(error)) {
    const message = messageOf(each);
    if (!text.includes(message)) text += `${text === '' ? '' : ': '}${message}`;
  }
  return text;
}

function messageOf(error: Error): string {
  if (error.message !== '') return error.message;
  // A failed connection to a name with several addresses comes as one of these, with no message.
  if (error instanceof AggregateError) return error.errors.map((each) => toError(each).message).join('; ');
  return 'code' in error ? String(error.code) : error.name;
}

function causeChain(error: Error): Error[] {
  const chain = [error];
  for (let cause = error.cause; cause instanceof Error && chain.length < MAX_ERRORS; cause = cause.cause) {
    chain.push(cause);
  }
  return chain;
}

function jsonReplacer(): (this: unknown, key: string, value: unknown) => unknown {
  const ancestors: unknown[] = [];
  return function replace(this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value !== 'object' || value === null) return value;
    // `this` holds the value, so what stands above it in the list is done with.
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return '[circular]';
    const shown = spelledOut(value);
    ancestors.push(shown);
    return shown;
  };
}

/** What JSON would show as `{}`, as something that it shows. */
function spelledOut(value: object): object {
  if (value instanceof Error) return errorFields(value);
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

function safely<T>(render: () => T, fallback: (problem: string) => T): T {
  try {
    return render();
  } catch (thrown) {
    return fallback(`[unprintable: ${toError(thrown).message}]`);
  }
}
