// The benchmarks that a load on running servers gives: which figure of which run, and what it must reach.
import type { Bar, Bench } from '../lib/bench.ts';
import type { Where } from './contender.ts';
import {
  fanOut,
  getsAtRest,
  getsDuringDefinitions,
  getsDuringDeletion,
  getsDuringLists,
  largerCreates,
  lists,
  type Scenario,
  singles,
} from './scenarios.ts';

export interface Row {
  readonly name: string;
  /** Of the run's figures. */
  readonly figure: string;
  readonly unit: string;
  readonly better: Bench['better'];
  readonly bar?: Bar;
}

export interface Run {
  readonly scenario: Scenario;
  readonly where: Where;
  readonly rows: readonly Row[];
}

const ratio = (atLeast: number): { readonly bar: Bar } => ({ bar: { kind: 'ratio', atLeast } });

const rate = (name: string, figure: string, unit: string, bar?: { readonly bar: Bar }): Row => ({
  name,
  figure,
  unit: `${unit} a second`,
  better: 'higher',
  ...bar,
});

const processor = (name: string, figure: string, of: string, bar?: { readonly bar: Bar }): Row => ({
  name,
  figure,
  unit: `ms of processor time ${of}`,
  better: 'lower',
  ...bar,
});

const delay = (name: string, figure: string, unit: string, bar?: { readonly bar: Bar }): Row => ({
  name,
  figure,
  unit: `ms ${unit}`.trimEnd(),
  better: 'lower',
  ...bar,
});

/** The client shares the machine with the server: what it takes more than this is missing there. */
const MAX_CLIENT_MS = 0.1;
const STALL: { readonly bar: Bar } = { bar: { kind: 'ours', below: 50, atLeast: 1 } };

const fannedOut = (name: string, watchers: number, connections: number, count: number): Run => ({
  scenario: fanOut({ watchers, connections, count, quickCount: 2, rate: 0 }),
  where: 'common',
  rows: [
    rate(name, 'eventsPerSecond', 'events', ratio(5)),
    processor(`${name}-cpu`, 'serverMsPerEvent', 'an event'),
  ],
});

/** At a pace that neither server has trouble with: otherwise it is their queues that are measured. */
const lagged = (name: string, watchers: number, connections: number, perSecond: number): Run => ({
  scenario: fanOut({ watchers, connections, count: 10 * perSecond, quickCount: 2, rate: perSecond }),
  where: 'common',
  rows: [delay(`${name}-lag`, 'lagP99Ms', 'from the request to the watcher, p99')],
});

const listed = (name: string, where: Where): Run => ({
  scenario: lists,
  where,
  rows: [delay(name, 'minMs', '', ratio(6)), processor(`${name}-cpu`, 'serverMsPerRequest', 'a list')],
});

const stalled = (name: string, where: Where, scenario: Scenario, bar?: { readonly bar: Bar }): Run => ({
  scenario,
  where,
  rows: [delay(`stall-${name}`, 'p99Ms', 'for a get meanwhile, p99', bar)],
});

export const runs: readonly Run[] = [
  {
    scenario: singles,
    where: 'common',
    rows: [
      rate('create', 'create.requestsPerSecond', 'creates', ratio(3)),
      processor('create-cpu', 'create.serverMsPerRequest', 'a create', ratio(5)),
      {
        ...processor('create-client-cpu', 'create.ownMsPerRequest', 'of the load client a create'),
        bar: { kind: 'ours', below: MAX_CLIENT_MS },
      },
      rate('get', 'get.requestsPerSecond', 'gets'),
      processor('get-cpu', 'get.serverMsPerRequest', 'a get'),
      rate('delete', 'delete.requestsPerSecond', 'deletes'),
      processor('delete-cpu', 'delete.serverMsPerRequest', 'a delete'),
    ],
  },
  {
    scenario: largerCreates,
    where: 'common',
    rows: [
      rate('create-10k', 'requestsPerSecond', 'creates', ratio(3)),
      processor('create-10k-cpu', 'serverMsPerRequest', 'a create'),
    ],
  },
  fannedOut('fan-out', 100, 10, 5000),
  lagged('fan-out', 100, 10, 50),
  fannedOut('fan-out-1000', 1000, 100, 1000),
  lagged('fan-out-1000', 1000, 100, 5),
  listed('list', 'listed'),
  stalled('nothing', 'common', getsAtRest),
  stalled('delete', 'common', getsDuringDeletion, STALL),
  stalled('crds', 'common', getsDuringDefinitions, STALL),
  // From here on there are more servers.
  listed('list-100k', 'large'),
  stalled('list', 'large', getsDuringLists, STALL),
];
