// What is asked of a server, each with a namespace of its own: what a run leaves behind is not in the next one's way.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures, MeasureOptions } from '../lib/bench.ts';
import type { Flags, Load } from './load.ts';
import type { TestedServer } from './servers.ts';

export type Scenario = (load: Load, server: TestedServer, options: MeasureOptions) => Promise<Figures>;

/** Each on a connection of its own. */
const CLIENTS = 32;
/** So many creates until nothing more is compiled: before that, ours takes up to twice as much processor time for one. */
const WARM_UP = 30_000;
const SINGLES = 5000;
const GETS_OF_EACH = 4;
const QUICK_SINGLES = 50;
const DELETED_TOGETHER = 10_000;
const DEFINITIONS = 200;
const QUICK_DEFINITIONS = 5;
/** The object that is got while something else goes on, so often a second. */
const PROBE: Flags = { rate: 200, warm: 50 };
/** What a server does with new definitions goes on when they are answered. */
const AFTERMATH_MS = 2000;
const REST_MS = 5000;
const QUICK_REST_MS = 100;

let made = 0;
const fresh = (what: string): string => `bench-${what}-${++made}`;

/** Creates, reads and deletes of single objects of 1 kB by 32 clients: `create.p99Ms` and the like. */
export const singles: Scenario = async (load, server, { quick }) => {
  const count = quick ? QUICK_SINGLES : SINGLES;
  const common = { namespace: fresh('singles'), clients: CLIENTS };
  const run = (verb: string, flags: Flags): Promise<Figures> =>
    load.run(server, verb, { ...common, ...flags });
  const warm = Math.ceil(count / 5);
  return {
    ...prefixed('create', await run('create', { count, warm })),
    ...prefixed('get', await run('get', { count: count * GETS_OF_EACH, objects: count, warm })),
    ...prefixed('delete', await run('delete', { count })),
  };
};

/** A server that runs is warm, and not empty. */
export function warmUp(load: Load, server: TestedServer): Promise<void> {
  return fill(load, server, fresh('warm'), WARM_UP);
}

/** Creates of 10 kB by three clients. */
export const largerCreates: Scenario = (load, server, { quick }) =>
  load.run(server, 'create', {
    namespace: fresh('larger'),
    clients: 3,
    size: 10_000,
    count: quick ? 30 : 2000,
    warm: quick ? 3 : 400,
  });

interface Watched {
  readonly watchers: number;
  readonly connections: number;
  readonly count: number;
  readonly quickCount: number;
  /** Creates a second; 0 for as many as can be. */
  readonly rate: number;
}

/** What arrives at all watchers together, and how long after an object was sent. */
export const fanOut =
  ({ watchers, connections, count, quickCount, rate }: Watched): Scenario =>
  (load, server, { quick }) =>
    load.run(server, 'fan-out', {
      namespace: fresh('watched'),
      clients: rate === 0 ? CLIENTS : 1,
      watchers,
      'watch-connections': connections,
      count: quick ? quickCount : count,
      warm: quick ? 1 : Math.ceil(count / 5),
      rate,
    });

/** Where there are objects to be listed. */
export const LISTED = 'bench-listed';

export async function fill(
  load: Load,
  server: TestedServer,
  namespace: string,
  count: number,
): Promise<void> {
  await load.run(server, 'create', { namespace, clients: CLIENTS, count });
}

/** Lists of all of them, one after the other. */
export function list(load: Load, server: TestedServer, count: number): Promise<Figures> {
  return load.run(server, 'list', { namespace: LISTED, count });
}

export const lists: Scenario = (load, server, { quick }) => list(load, server, quick ? 2 : 10);

/** Gets while nothing else goes on: what is slow here is the machine. */
export const getsAtRest: Scenario = (load, server, { quick }) =>
  probed(load, server, () => sleep(quick ? QUICK_REST_MS : REST_MS));

/** Gets while everything is listed. */
export const getsDuringLists: Scenario = (load, server, options) =>
  probed(load, server, () => lists(load, server, options));

/** Gets while everything in a namespace is deleted, as it is when the namespace is. */
export const getsDuringDeletion: Scenario = async (load, server, { quick }) => {
  const namespace = fresh('doomed');
  await fill(load, server, namespace, quick ? QUICK_SINGLES : DELETED_TOGETHER);
  return probed(load, server, () => load.run(server, 'delete-collection', { namespace }));
};

/** Gets while definitions of custom resources are applied. */
export const getsDuringDefinitions: Scenario = async (load, server, { quick }) => {
  const all = {
    clients: 4,
    count: quick ? QUICK_DEFINITIONS : DEFINITIONS,
    group: `${fresh('defined')}.dev`,
  };
  const figures = await probed(load, server, async () => {
    await load.run(server, 'apply-crds', all);
    await sleep(quick ? 0 : AFTERMATH_MS);
  });
  await load.run(server, 'delete-crds', all);
  return figures;
};

function probed(load: Load, server: TestedServer, work: () => Promise<unknown>): Promise<Figures> {
  return load.probeDuring(server, { ...PROBE, namespace: fresh('probed') }, work);
}

function prefixed(prefix: string, figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}.${name}`, value]));
}
