// What people and pipelines do with a cluster: as they like, in any order.
import type { Random } from '@windlass/base';

export const NODES = ['n0', 'n1', 'n2'] as const;
/** What one node carries; each pod asks for one. */
export const CPUS = 12;

const DEPLOYMENTS = ['d0', 'd1'] as const;
const REPLICA_SETS = ['r0'] as const;
const STATEFUL_SETS = ['s0', 's1'] as const;
const DAEMON_SETS = ['a0'] as const;
const JOBS = ['j0', 'j1'] as const;
const PROPAGATIONS = ['Background', 'Foreground', 'Orphan'] as const;

export type Action =
  | {
      readonly do: 'deployment';
      readonly name: string;
      readonly replicas: number;
      readonly image: number;
      readonly recreates: boolean;
    }
  | { readonly do: 'replica set'; readonly name: string; readonly replicas: number }
  | {
      readonly do: 'stateful set';
      readonly name: string;
      readonly replicas: number;
      readonly image: number;
      readonly isParallel: boolean;
    }
  | { readonly do: 'daemon set'; readonly name: string; readonly image: number }
  | {
      readonly do: 'job';
      readonly name: string;
      readonly completions: number;
      readonly parallelism: number;
      readonly fails: boolean;
      readonly isIndexed: boolean;
    }
  | {
      readonly do: 'delete';
      readonly name: string;
      readonly propagation: (typeof PROPAGATIONS)[number];
    }
  | { readonly do: 'delete pod'; readonly pick: number }
  | { readonly do: 'evict'; readonly pick: number }
  | { readonly do: 'namespace'; readonly delete: boolean }
  | { readonly do: 'pass'; readonly seconds: number };

/** How often each of them is done, among the others. */
const WEIGHTS: Readonly<Record<Action['do'], number>> = {
  deployment: 6,
  'replica set': 2,
  'stateful set': 5,
  'daemon set': 1,
  job: 3,
  delete: 3,
  'delete pod': 2,
  evict: 4,
  namespace: 2,
  pass: 6,
};

const DRAWS: readonly Action['do'][] = Object.entries(WEIGHTS).flatMap(([what, weight]) =>
  // The names are those of the record above.
  Array.from({ length: weight }, () => what as Action['do']),
);

/** The next thing that somebody does. */
export function drawAction(random: Random): Action {
  const what = pick(random, DRAWS);
  switch (what) {
    case 'deployment':
      return {
        do: what,
        name: pick(random, DEPLOYMENTS),
        replicas: random.int(6),
        image: image(random),
        recreates: random.int(2) === 0,
      };
    case 'replica set':
      return { do: what, name: pick(random, REPLICA_SETS), replicas: random.int(5) };
    case 'stateful set':
      return {
        do: what,
        name: pick(random, STATEFUL_SETS),
        replicas: random.int(5),
        image: image(random),
        isParallel: random.int(2) === 0,
      };
    case 'daemon set':
      return { do: what, name: pick(random, DAEMON_SETS), image: image(random) };
    case 'job':
      return {
        do: what,
        name: pick(random, JOBS),
        completions: 1 + random.int(4),
        parallelism: 1 + random.int(3),
        fails: random.int(2) === 0,
        isIndexed: random.int(2) === 0,
      };
    case 'delete':
      return {
        do: what,
        name: pick(random, [...DEPLOYMENTS, ...REPLICA_SETS, ...STATEFUL_SETS, ...DAEMON_SETS, ...JOBS]),
        propagation: pick(random, PROPAGATIONS),
      };
    case 'delete pod':
    case 'evict':
      return { do: what, pick: random.int(1000) };
    case 'namespace':
      return { do: what, delete: random.int(2) === 0 };
    case 'pass':
      return { do: what, seconds: random.int(40) };
    default:
      return what satisfies never;
  }
}

function image(random: Random): number {
  return 1 + random.int(3);
}

function pick<T>(random: Random, items: readonly T[]): T {
  // There is at least one, so there is one at that place.
  return items[random.int(items.length)] as T;
}
