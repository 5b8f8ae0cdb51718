import type { Failure, Plan } from '@windlass/simulation';

/** One run that is to be done: a simulation of a file, and a seed. */
export interface SeedTask {
  readonly simulation: string;
  readonly seed: number;
}

/** What came of one run. All of it but `ms` follows from the program and the seed. */
export interface SeedResult extends SeedTask {
  readonly plan: Plan;
  readonly failure: Failure | undefined;
  /** Of all writes; empty when the process that ran it ended. */
  readonly digest: string;
  readonly virtualMs: number;
  readonly writes: number;
  /** Every write as text; empty unless it was asked for. */
  readonly journal: string;
  /** How long it took on this machine. */
  readonly ms: number;
}

/** A run for people to read. */
export interface ToldRun {
  /** What was wrong, and the plan. */
  readonly failure: string;
  readonly timeline: string;
  /** A test to paste. */
  readonly test: string;
  /** As one HTML page. */
  readonly page: string;
  /** How many faults the plan has, and how many it had before it was shrunk. */
  readonly faults: number;
  readonly faultsBefore: number;
}

/** What the command asks of a worker. It asks for one thing at a time. */
export type Question =
  | { readonly ask: 'load'; readonly files: readonly string[]; readonly exec: string | undefined }
  | { readonly ask: 'run'; readonly task: SeedTask; readonly journalled: boolean }
  | { readonly ask: 'tell'; readonly task: SeedTask };

/** What a worker answers. */
export type Answer =
  | { readonly answer: 'loaded'; readonly names: readonly string[] }
  | { readonly answer: 'ran'; readonly result: Omit<SeedResult, 'ms'> }
  | { readonly answer: 'told'; readonly run: ToldRun }
  /** The file or the program is wrong: one sentence. */
  | { readonly answer: 'refused'; readonly message: string };
