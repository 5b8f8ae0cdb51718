import type { Random } from '@windlass/base';
import {
  FAULT_KINDS,
  type Fault,
  type FaultKind,
  MACHINE_CALLS,
  type MachineCall,
  type Plan,
  type RequestFaultAnswer,
  type When,
} from './fault.ts';

/** What a plan may be about. */
export interface PlanGround {
  /** Whom faults meet. */
  readonly processes: readonly string[];
  readonly nodes: readonly string[];
  /** Of each node. */
  readonly drives?: readonly string[];
  readonly kinds?: readonly FaultKind[] | undefined;
  /** How long the workload takes without faults. */
  readonly workloadMs: number;
  /** How often each process writes and reads meanwhile. */
  readonly counts: Readonly<Record<string, { readonly writes: number; readonly reads: number }>>;
  /** Which resources each process watches, in plural. @default not known: then watches fail all together */
  readonly watched?: Readonly<Record<string, readonly string[]>>;
  /** How often each process calls into machines meanwhile. @default never */
  readonly calls?: Readonly<Record<string, Readonly<Partial<Record<MachineCall, number>>>>>;
  /** No fault lasts longer. @default each kind has its own limit */
  readonly longestMs?: number | undefined;
}

const MAX_FAULTS = 5;
const ANSWERS: readonly RequestFaultAnswer[] = [
  'lost',
  'answer lost',
  'conflict',
  'too many requests',
  'internal error',
  'unavailable',
  'timeout',
];
/** How often each kind is chosen, compared with the others: programs break most where they write and look. */
const WEIGHTS: Readonly<Record<FaultKind, number>> = {
  request: 4,
  watch: 3,
  kill: 2,
  freeze: 2,
  latency: 1,
  clock: 1,
  partition: 1,
  server: 1,
  node: 2,
  drive: 3,
  call: 3,
};
/** Short and long: shorter than a retry, longer than a lease, longer than pods tolerate a silent node. */
const SPANS = [50, 500, 2000, 8000, 20_000, 60_000, 400_000];

/** Makes a plan of up to five faults, or of none: then only the order of things differs. */
export function generatePlan(random: Random, ground: PlanGround): Plan {
  const possible = (ground.kinds ?? FAULT_KINDS).filter((kind) => isPossible(kind, ground));
  const kinds = possible.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind));
  if (kinds.length === 0) return [];
  const count = random.int(8) === 0 ? 0 : 1 + random.int(MAX_FAULTS);
  return Array.from({ length: count }, () => generateFault(random, pick(random, kinds), ground));
}

function isPossible(kind: FaultKind, ground: PlanGround): boolean {
  const { processes, nodes, drives = [] } = ground;
  if (kind === 'call') return callersOf(ground).length > 0;
  if (kind === 'drive') return nodes.length > 0 && drives.length > 0;
  if (kind === 'node') return nodes.length > 0;
  return kind === 'server' || processes.length > 0;
}

function generateFault(random: Random, kind: FaultKind, ground: PlanGround): Fault {
  const process = ground.processes.length === 0 ? '' : pick(random, ground.processes);
  const when = (): When => generateWhen(random, ground);
  const span = (longest: number): number =>
    pick(
      random,
      SPANS.filter((ms) => ms <= Math.min(longest, ground.longestMs ?? longest)),
    );
  switch (kind) {
    case 'request': {
      const { writes = 1, reads = 1 } = ground.counts[process] ?? {};
      const times = random.int(4) === 0 ? { times: 2 + random.int(4) } : {};
      const answer = pick(random, ANSWERS);
      // Reads go wrong more rarely than writes: caches are there so that there are few.
      return random.int(4) === 0
        ? { kind, process, read: 1 + random.int(Math.max(1, reads + 2)), answer, ...times }
        : { kind, process, write: 1 + random.int(Math.max(1, writes + 2)), answer, ...times };
    }
    case 'latency':
      return { kind, process, when: when(), forMs: span(20_000), addMs: pick(random, [20, 200, 2000]) };
    case 'watch': {
      const effect = pick(random, ['drop', 'hold', 'hold', 'compact', 'gap', 'gap'] as const);
      const lasts = effect === 'hold' || effect === 'gap';
      // Caches that are behind in different ways are worse than caches that are all behind.
      const resources = ground.watched?.[process] ?? [];
      const resource = random.int(2) === 0 && resources.length > 1 && { resource: pick(random, resources) };
      return { kind, process, when: when(), effect, ...(lasts && { forMs: span(60_000) }), ...resource };
    }
    case 'kill':
      return { kind, process, when: when(), downMs: span(20_000) };
    case 'freeze':
      return { kind, process, when: when(), forMs: span(60_000) };
    case 'clock':
      return { kind, process, when: when(), byMs: (random.int(2) === 0 ? -1 : 1) * span(400_000) };
    case 'partition':
      return { kind, process, when: when(), forMs: span(60_000) };
    case 'server':
      return { kind, when: when(), downMs: span(20_000), ...(random.int(2) === 0 && { compacts: true }) };
    case 'node':
      return { kind, node: pick(random, ground.nodes), when: when(), forMs: span(400_000) };
    case 'drive': {
      const [node, drive] = [pick(random, ground.nodes), pick(random, ground.drives ?? [])];
      const effect = pick(random, ['lost', 'lost', 'full', 'slow'] as const);
      return { kind, node, drive, effect, when: when(), forMs: span(400_000) };
    }
    case 'call': {
      const caller = pick(random, callersOf(ground));
      const made = ground.calls?.[caller] ?? {};
      const call = pick(
        random,
        MACHINE_CALLS.filter((each) => made[each] !== undefined),
      );
      const number = 1 + random.int((made[call] ?? 0) + 2);
      const code = pick(random, ['EIO', 'EIO', 'EBUSY', 'EACCES'] as const);
      const times = random.int(4) === 0 ? { times: 2 + random.int(4) } : {};
      return { kind, process: caller, call, number, code, ...times };
    }
    default:
      return kind satisfies never;
  }
}

/** Who of those whom faults meet calls into machines. */
function callersOf({ processes, calls = {} }: PlanGround): readonly string[] {
  return processes.filter((process) => Object.keys(calls[process] ?? {}).length > 0);
}

/** At a time, or, as often, right after a write: that is where programs have their weak moments. */
function generateWhen(random: Random, { workloadMs, processes, counts }: PlanGround): When {
  const by = processes.length === 0 ? 'user' : pick(random, [...processes, 'user']);
  const writes = counts[by]?.writes ?? 0;
  if (writes > 0 && random.int(2) === 0) return { write: 1 + random.int(writes), by };
  return random.int(Math.max(1, Math.ceil(workloadMs)));
}

function pick<T>(random: Random, items: readonly T[]): T {
  // There is at least one, so there is one at that place.
  return items[random.int(items.length)] as T;
}
