import { readFileSync } from 'node:fs';

/** Specs that are known not to pass, with one reason for all of them. */
export interface ExpectedFailures {
  readonly reason: string;
  readonly specs: readonly string[];
}

const FILE = new URL('expected-failures.json', import.meta.url);

/** The list in the repository. A spec stands in it once. */
export function readExpected(text: string = readFileSync(FILE, 'utf8')): ReadonlyMap<string, string> {
  // The file is ours; its shape is checked below as far as a mistake is likely.
  const groups = JSON.parse(text) as readonly ExpectedFailures[];
  const reasons = new Map<string, string>();
  for (const { reason, specs } of groups) {
    if (reason === '') throw new Error('expected-failures.json has a group without a reason; name one');
    for (const name of specs) {
      if (reasons.has(name)) throw new Error(`expected-failures.json names "${name}" twice; keep one`);
      reasons.set(name, reason);
    }
  }
  return reasons;
}
