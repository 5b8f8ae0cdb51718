import type { TestContext } from 'node:test';
import type { Store } from '../store.ts';

/** How the suite gets at a backend. */
export interface ContractHarness {
  readonly name: string;
  /** How many random runs against the naive store it is worth. */
  readonly modelRuns: number;
  /** A new, empty store. It is closed, and whatever it left removed, when the test ends. */
  open(context: TestContext): Promise<Store>;
  /** Closes the store and opens it again; undefined for a store that keeps nothing. */
  readonly reopen: ((context: TestContext, store: Store) => Promise<Store>) | undefined;
}
