// Tables of inputs with what Kubernetes' own implementation makes of them, for tests.

import { readFileSync } from 'node:fs';

export interface Golden<Row> {
  /** The module and version that wrote the rows. */
  readonly source: string;
  readonly rows: readonly Row[];
}

/** A `Golden` of some row. The tests say of which: the files are ours, and a test fails when one lies. */
export function golden(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8'));
}
