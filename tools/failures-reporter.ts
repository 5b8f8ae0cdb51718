// A reporter for `node --test` that writes a line of JSON for each test that failed, and nothing else.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export interface Failure {
  readonly file: string;
  readonly test: string;
  /** The first lines of the error and of its cause. */
  readonly error: string;
}

/** Of a failure of fast-check: how many cases passed, its seed, the counterexample. */
const LINES = 3;
const LONGEST = 300;

// oxlint-disable-next-line import/no-default-export -- Node takes a reporter as the default export only
export default async function* failures(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:fail') continue;
    const { file = '', name, details } = event.data;
    // Whatever is around a failed test fails for it.
    if ('failureType' in details.error && details.error.failureType === 'subtestsFailed') continue;
    const failure: Failure = {
      file: relative(process.cwd(), file),
      test: name,
      error: textOf(details.error),
    };
    yield `${JSON.stringify(failure)}\n`;
  }
}

/** Node wraps what a test threw, and fast-check what a property threw. */
function textOf(error: Error): string {
  const { cause = error } = error;
  const lines = messageOf(cause).split('\n').slice(0, LINES);
  if (cause instanceof Error && cause.cause instanceof Error)
    lines.push(...messageOf(cause.cause).split('\n').slice(0, LINES));
  return lines.map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)).join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
