// What may happen to a cluster: people, nodes, networks and machines all do as they like.
import * as fc from 'fast-check';

export const NODES = ['n0', 'n1', 'n2'] as const;
/** What one node carries; each pod asks for one. */
export const CPUS = 12;

export const DEPLOYMENTS = ['d0', 'd1'] as const;
export const REPLICA_SETS = ['r0'] as const;
export const STATEFUL_SETS = ['s0', 's1'] as const;
export const DAEMON_SETS = ['a0'] as const;
export const JOBS = ['j0', 'j1'] as const;

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

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
  | { readonly do: 'delete'; readonly name: string; readonly propagation: Propagation }
  | { readonly do: 'delete pod'; readonly pick: number }
  | { readonly do: 'evict'; readonly pick: number }
  | { readonly do: 'namespace'; readonly delete: boolean }
  | { readonly do: 'node'; readonly node: string; readonly works: boolean }
  | {
      readonly do: 'fault';
      readonly on: FaultPlace;
      readonly answer: FaultAnswer;
      readonly afterwards: boolean;
      readonly times: number;
    }
  | { readonly do: 'drop watches' }
  | { readonly do: 'crash'; readonly writes: number }
  | { readonly do: 'pass'; readonly seconds: number };

export type FaultPlace = keyof typeof FAULT_PLACES;
export type FaultAnswer = 'conflict' | 'error' | 'lost';

export const FAULT_PLACES = {
  'pod writes': { path: /\/pods(\/|$)/, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] },
  'status writes': { path: /\/status$/, methods: ['PUT', 'PATCH'] },
  'workload writes': {
    path: /\/(deployments|replicasets|statefulsets|jobs|daemonsets|controllerrevisions)(\/|$)/,
    methods: ['POST', 'PUT', 'PATCH'],
  },
  reads: { path: /\/api/, methods: ['GET'] },
} as const;

const oneOf = <const T extends string>(names: readonly T[]) => fc.constantFrom(...names);
const image = fc.integer({ min: 1, max: 3 });

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deployment' as const),
      name: oneOf(DEPLOYMENTS),
      replicas: fc.nat(5),
      image,
      recreates: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('replica set' as const),
      name: oneOf(REPLICA_SETS),
      replicas: fc.nat(4),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('stateful set' as const),
      name: oneOf(STATEFUL_SETS),
      replicas: fc.nat(4),
      image,
      isParallel: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('daemon set' as const), name: oneOf(DAEMON_SETS), image }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('job' as const),
      name: oneOf(JOBS),
      completions: fc.integer({ min: 1, max: 4 }),
      parallelism: fc.integer({ min: 1, max: 3 }),
      fails: fc.boolean(),
      isIndexed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      name: oneOf([...DEPLOYMENTS, ...REPLICA_SETS, ...STATEFUL_SETS, ...DAEMON_SETS, ...JOBS]),
      propagation: oneOf(['Background', 'Foreground', 'Orphan']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete pod' as const), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('evict' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('namespace' as const), delete: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('node' as const), node: oneOf(NODES), works: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      on: oneOf(['pod writes', 'status writes', 'workload writes', 'reads']),
      answer: oneOf(['conflict', 'error', 'lost']),
      afterwards: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop watches' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('crash' as const), writes: fc.nat(12) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.nat(60) }) },
);
