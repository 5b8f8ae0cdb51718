import type { Clock, Random } from '@windlass/base';

/** What every administration command may be given. */
export interface AdminOptions {
  readonly signal?: AbortSignal;
}

/** Of those that change something. */
export interface ChangeOptions extends AdminOptions {
  /** Says what would be done and writes nothing at all. @default false */
  readonly dryRun?: boolean;
}

/** Of those that wait for nodes. */
export interface WaitOptions extends AdminOptions {
  /** How long nodes have to answer. @default 120000 */
  readonly timeoutMs?: number;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
  /** Told as nodes answer. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a command has come. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Whose turn is over, and who is waited for. */
  readonly node: string;
}

export const DEFAULT_WAIT_MS = 120_000;
