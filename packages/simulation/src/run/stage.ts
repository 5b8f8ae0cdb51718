import type { CallCounts } from '../world/call-counts.ts';
import type { RequestCounts } from '../world/request-counts.ts';
import type { Trace } from '../world/trace.ts';

/** A watch that can be held and broken. */
export interface StageWatch {
  readonly request: { readonly path: string };
  /** Nothing more arrives until it was released as often as it was held. */
  hold(): void;
  release(): void;
  break(): void;
}

/**
 * The network of the machine that a process runs on. It outlives the process: who starts on a machine that is cut off, or
 * slow, is cut off and slow.
 */
export interface StageLink {
  /** Those of the process that are open now. */
  readonly watches: Iterable<StageWatch>;
  /** Everything takes longer by this, beside what it takes longer already; what is negative takes that back. */
  delay(byMs: number): void;
  cut(): void;
  mend(): void;
}

/** A process, and what can happen to it. */
export interface StageProcess {
  readonly isUp: boolean;
  readonly link: StageLink;
  /** How often it was started: what happens to a process only, is over with it. */
  readonly starts: number;
  start(): void;
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Sets the wall clock of its machine, which outlives the process. */
  skew(byMs: number): void;
}

/** The machine of a node, and what can happen to its drives. */
export interface StageMachine {
  lose(drive: string): void;
  find(drive: string): void;
  fill(drive: string, isFull: boolean): void;
  slow(drive: string, isSlow: boolean): void;
}

/** Where a plan happens: a world of virtual time, or real programs. */
export interface Stage {
  readonly time: { set(owner: string, fire: () => void, delayMs: number): unknown };
  readonly trace: Trace;
  readonly requests: RequestCounts;
  readonly processes: ReadonlyMap<string, StageProcess>;
  readonly kubelet: { suspend(node: string): void; resume(node: string): void } | undefined;
  /** By node. Absent where nodes have no drives. */
  readonly machines?: ReadonlyMap<string, StageMachine>;
  /** Into machines. Absent where nodes have no drives. */
  readonly calls?: CallCounts;
  serverDown(): void;
  serverUp(): void;
  /** The server forgets the past. */
  compact(): void;
}
