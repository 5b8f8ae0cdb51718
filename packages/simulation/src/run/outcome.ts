import type { EndState } from '../oracles/end-state.ts';
import type { MachineCall, Plan } from '../plan/fault.ts';
import type { TraceEntry } from '../world/trace.ts';
import type { Failure } from './failure.ts';

/** What came of one run. */
export interface Outcome {
  readonly seed: number;
  readonly plan: Plan;
  /** The first thing that was wrong; undefined when nothing was. */
  readonly failure: Failure | undefined;
  /** Of all writes, byte for byte. */
  readonly digest: string;
  /** How long the run took in the time of the program. */
  readonly virtualMs: number;
  /** Whether that time is virtual; a command's is real. */
  readonly isVirtual: boolean;
  readonly writes: number;
  /** When the workload was over, in milliseconds after it began. */
  readonly workloadMs: number;
  /** How often each process wrote and read during the workload. */
  readonly counts: Readonly<Record<string, { readonly writes: number; readonly reads: number }>>;
  /** How often each process called into machines during the workload. */
  readonly calls: Readonly<Record<string, Readonly<Partial<Record<MachineCall, number>>>>>;
  /** Which resources each process watched when the workload was over, in plural, sorted. */
  readonly watched: Readonly<Record<string, readonly string[]>>;
  /** Undefined when the run did not get there. */
  readonly endState: EndState | undefined;
  /** What happened; empty unless it was asked for. */
  readonly trace: readonly TraceEntry[];
  /** Every write as a line of text; empty unless it was asked for. */
  readonly journal: string;
}
