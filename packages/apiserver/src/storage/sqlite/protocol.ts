// What the store and its thread say to each other. Requests come one at a time, each with one answer.
import type { Compaction } from '../journal.ts';
import type { FailureReport, LostWrites } from './failures.ts';
import type { LogMeta } from './log-meta.ts';
import type { LogRow } from './log-verifier.ts';
import type { PackedWrites } from './packed-writes.ts';

export type Request =
  | { readonly type: 'append'; readonly writes: PackedWrites }
  | { readonly type: 'compact'; readonly compaction: Compaction }
  | { readonly type: 'probe'; readonly bytes: number }
  | { readonly type: 'close' };

/** At the start the thread says `opened`, then `rows` as often as it takes, then `loaded`, or `failed`. */
export type Answer =
  | { readonly type: 'opened'; readonly meta: LogMeta; readonly lost: LostWrites | undefined }
  | { readonly type: 'rows'; readonly rows: readonly LogRow[] }
  | { readonly type: 'loaded' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failure: FailureReport };
