import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { FakeClock, noMetrics, silentLogger } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import { RevisionConflictError } from '../errors.ts';
import { storeMetrics } from '../store-metrics.ts';
import { StorageUnavailableError, WriteOutcomeUnknownError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { Event, TxnResponse } from './generated/rpc.ts';
import { etcdKey } from './keys.ts';
import { PendingWrites } from './pending-writes.ts';
import { PLAIN_VALUES } from './value-codec.ts';
import { WatchCache } from './watch-cache.ts';
import { writeOnce } from './write.ts';

const KEY = '//configmaps/default/a';
const AT = etcdKey('/registry', KEY);
const NOW = 10;

const object = (uid: string | undefined, value: string): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...(uid !== undefined && { uid }) },
  data: { value },
});

/** What etcd does with one attempt: what its watch shows meanwhile, and what comes back. */
interface Attempt {
  readonly shows?: readonly { readonly revision: number; readonly object: KubeObject | undefined }[];
  readonly answer: { readonly succeeded: boolean; readonly revision: number } | 'lost' | 'not sent';
}

const LOST = new GrpcError('UNAVAILABLE', 'the connection was lost');
const NOT_SENT = new GrpcError(
  'UNAVAILABLE',
  'no connection',
  Object.assign(new Error(), { code: 'ECONNREFUSED' }),
);

async function attempt(expected: number, wanted: KubeObject | undefined, attempts: readonly Attempt[]) {
  const clock = new FakeClock();
  const pending = new PendingWrites();
  const common = {
    prefix: '/registry',
    values: PLAIN_VALUES,
    pending,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
  };
  const cache = new WatchCache(common, storeMetrics(noMetrics));
  const show = (revision: number, shown: KubeObject | undefined): void => {
    const value = shown === undefined ? Buffer.alloc(0) : PLAIN_VALUES.encode(AT, shown);
    const kv = {
      key: Buffer.from(AT),
      value,
      modRevision: revision,
      createRevision: 0,
      version: 0,
      lease: '0',
    };
    const event: Event = { type: shown === undefined ? 'DELETE' : 'PUT', kv };
    cache.apply([event]);
  };
  if (expected > 0) show(expected, object('old', 'before'));
  cache.advance(NOW);
  const left = [...attempts];
  const once = async (): Promise<TxnResponse> => {
    const next = left.shift() ?? { answer: 'lost' as const };
    for (const { revision, object: shown } of next.shows ?? []) show(revision, shown);
    if (next.answer === 'lost') throw LOST;
    if (next.answer === 'not sent') throw NOT_SENT;
    const { succeeded, revision } = next.answer;
    cache.advance(revision);
    const header = { clusterId: '1', memberId: '1', revision, raftTerm: '1' };
    const there = cache.state.get(KEY, undefined);
    const kvs =
      there === undefined
        ? []
        : [
            {
              key: Buffer.from(AT),
              value: PLAIN_VALUES.encode(AT, there.object),
              modRevision: there.revision,
              createRevision: 0,
              version: 0,
              lease: '0',
            },
          ];
    return {
      header,
      succeeded,
      responses: [{ responseRange: { header, kvs, more: false, count: kvs.length } }],
    };
  };
  // Nothing else of it is called; no time passes but that which a pause takes.
  const client = { once, pause: () => clock.advance(1000) } as unknown as EtcdClient;
  const put = wanted && { object: wanted, value: PLAIN_VALUES.encode(AT, wanted) };
  const write = { key: AT, put, expected, stored: undefined, isOutOfSight: false };
  return writeOnce({ client, cache, values: PLAIN_VALUES, pending, clock }, write, {
    storeKey: KEY,
    lease: undefined,
  });
}

const mine = object('mine', 'x');
const update = object('old', 'x');

for (const [name, expected, wanted, attempts, outcome] of [
  [
    'a create that is answered',
    0,
    mine,
    [{ shows: [{ revision: 11, object: mine }], answer: { succeeded: true, revision: 11 } }],
    11,
  ],
  [
    'a create whose answer is lost, and that the watch shows',
    0,
    mine,
    [{ shows: [{ revision: 11, object: mine }], answer: 'lost' }],
    11,
  ],
  [
    'a create whose answer is lost, and that is refused the second time, because it is there',
    0,
    mine,
    [
      { answer: 'lost' },
      { shows: [{ revision: 11, object: mine }], answer: { succeeded: false, revision: 12 } },
    ],
    11,
  ],
  [
    'a create that another one was before',
    0,
    mine,
    [{ shows: [{ revision: 11, object: object('other', 'x') }], answer: { succeeded: false, revision: 11 } }],
    RevisionConflictError,
  ],
  [
    'an update that another server has written just so, and that is refused',
    5,
    update,
    [{ shows: [{ revision: 11, object: update }], answer: { succeeded: false, revision: 11 } }],
    RevisionConflictError,
  ],
  [
    'an update whose answer is lost, when somebody has written just that',
    5,
    update,
    [
      { shows: [{ revision: 11, object: update }], answer: 'lost' },
      { answer: { succeeded: false, revision: 12 } },
    ],
    WriteOutcomeUnknownError,
  ],
  [
    'an update whose answer is lost, when somebody has written something else',
    5,
    update,
    [
      { shows: [{ revision: 11, object: object('old', 'y') }], answer: 'lost' },
      { answer: { succeeded: false, revision: 12 } },
    ],
    RevisionConflictError,
  ],
  [
    'an update whose answer is lost, sent again',
    5,
    update,
    [
      { answer: 'lost' },
      { shows: [{ revision: 11, object: update }], answer: { succeeded: true, revision: 11 } },
    ],
    11,
  ],
  [
    'a deletion whose answer is lost, when it is gone',
    5,
    undefined,
    [
      { shows: [{ revision: 11, object: undefined }], answer: 'lost' },
      { answer: { succeeded: false, revision: 12 } },
    ],
    WriteOutcomeUnknownError,
  ],
  [
    'a write that reaches nobody',
    5,
    update,
    Array.from({ length: 12 }, () => ({ answer: 'not sent' })),
    StorageUnavailableError,
  ],
  ['a write of which no answer comes', 5, update, [], WriteOutcomeUnknownError],
] as const)
  test(name, async () => {
    const writing = attempt(expected, wanted, attempts as readonly Attempt[]);
    if (typeof outcome === 'number') assert.equal((await writing).revision, outcome);
    else await assert.rejects(writing, outcome);
  });
