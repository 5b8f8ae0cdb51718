import { describeFault } from '../plan/describe-fault.ts';
import type { Plan } from '../plan/fault.ts';
import type { Outcome } from '../run/outcome.ts';
import type { TraceEntry } from '../world/trace.ts';
import { changedFields } from './changed-fields.ts';
import { toldOf, whatOf } from './timeline.ts';

/** One line of the page, and one mark in its lanes. */
export interface PageRow {
  readonly atMs: number;
  /** Empty for what concerns the whole run. */
  readonly process: string;
  readonly type: TraceEntry['type'];
  readonly text: string;
  /** Shown when somebody opens the line. */
  readonly details: readonly string[];
  /** How long a fault lasts; undefined for what is over at once. */
  readonly forMs: number | undefined;
}

const MAX_BODY = 4000;

/** What a reader of the page is told, in order. */
export function rowsOf(outcome: Outcome): PageRow[] {
  const spans = spansOf(outcome.plan);
  return toldOf(outcome).map((entry) => {
    const { atMs, process, type, text } = entry;
    const forMs = type === 'fault' ? spans.get(text) : undefined;
    return { atMs, process, type, text: whatOf(entry), details: detailsOf(entry), forMs };
  });
}

/** Those that a row is about: the user, the program's processes and others as they appear, the server last. */
export function lanesOf(rows: readonly PageRow[], { counts }: Outcome): string[] {
  const seen = new Set(rows.map(({ process }) => process).filter((name) => name !== ''));
  const rank = (name: string): number => {
    if (name === 'user') return 0;
    if (name === 'server') return 3;
    return SYSTEM.has(name) || !(name in counts) ? 2 : 1;
  };
  return [...seen].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const SYSTEM: ReadonlySet<string> = new Set(['controllers', 'scheduler', 'kubelet']);

/** How long the faults of a plan last, by the sentence that the trace has for them. */
function spansOf(plan: Plan): Map<string, number> {
  const spans = new Map<string, number>();
  for (const fault of plan) {
    const forMs = 'forMs' in fault ? fault.forMs : 'downMs' in fault ? fault.downMs : undefined;
    if (forMs !== undefined) spans.set(describeFault(fault), forMs);
  }
  return spans;
}

function detailsOf({ entry, request, type }: TraceEntry): string[] {
  if (type === 'write' && entry !== undefined)
    return entry.verb === 'update' ? changedFields(entry.previous, entry.object) : [shortened(entry.object)];
  if (request === undefined) return [];
  const body = request.body === undefined ? [] : [shortened(request.body)];
  return [`${request.method} ${request.path}`, ...body];
}

function shortened(value: unknown): string {
  const text = JSON.stringify(
    value,
    (name, field: unknown) => (name === 'managedFields' ? undefined : field),
    2,
  );
  return text.length <= MAX_BODY ? text : `${text.slice(0, MAX_BODY)}…`;
}
