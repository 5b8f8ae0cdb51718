// Random pods, faults and crashes: whatever happens, a pod that runs has its volumes, nobody else has, no two
// things are done to a volume at a time, and nothing is left when the pods are gone.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isAlreadyExists, isNotFound } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import * as fc from 'fast-check';
import { DRIVER, type Fault, type Method } from '../testing/fake-driver.ts';
import { claim, pods, run, startVolumeNode, type VolumeNode } from '../testing/volume-node.ts';

const CLAIMS = ['a', 'b', 'only'];
const METHODS: readonly Method[] = ['stage', 'publish', 'unpublish', 'unstage'];

type Moment = 'before' | 'after';

type Action =
  | { readonly do: 'create'; readonly pod: number; readonly claims: readonly string[] }
  | { readonly do: 'delete'; readonly pod: number; readonly isForced: boolean }
  | { readonly do: 'fault'; readonly method: Method; readonly fault: Fault; readonly times: number }
  | { readonly do: 'api'; readonly path: RegExp; readonly afterwards: boolean }
  | { readonly do: 'crash' }
  | { readonly do: 'crash in call'; readonly method: Method; readonly moment: Moment }
  | { readonly do: 'crash after write'; readonly writes: number }
  | { readonly do: 'pass'; readonly ms: number };

const method = fc.constantFrom(...METHODS);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      pod: fc.nat(3),
      claims: fc.subarray(CLAIMS, { minLength: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('delete' as const), pod: fc.nat(3), isForced: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      method,
      fault: fc.constantFrom<Fault[]>('refuse', 'lose answer', 'unavailable'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.record({
    do: fc.constant('api' as const),
    path: fc.constantFrom(/persistentvolumeclaims/, /persistentvolumes/, /csidrivers/, /pods/),
    afterwards: fc.boolean(),
  }),
  fc.record({ do: fc.constant('crash' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('crash in call' as const),
      method,
      moment: fc.constantFrom<Moment[]>('before', 'after'),
    }),
  },
  fc.record({ do: fc.constant('crash after write' as const), writes: fc.nat(3) }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(4000) }) },
);

/** Where a pod has a volume, when it has it. */
const targetOf = (node: VolumeNode, uid: string, name: string): string =>
  join(node.root, 'pods', uid, 'volumes/kubernetes.io~csi', `pv-${name}`, 'mount');

const claimsOf = ({ spec }: Pod): string[] => (spec?.volumes ?? []).map(({ name }) => name);

/** At any time: whoever runs has what it mounts. */
async function checkRunning(node: VolumeNode): Promise<void> {
  const { items } = await pods(node).list();
  for (const pod of items) {
    const isRunning = pod.status?.containerStatuses?.[0]?.state?.running !== undefined;
    if (!isRunning) continue;
    for (const name of claimsOf(pod))
      assert.ok(
        node.driver.volume(name).publishedAt.has(targetOf(node, pod.metadata.uid, name)),
        `${pod.metadata.name} runs without ${name}`,
      );
  }
  assert.deepEqual(node.driver.violations, []);
}

/** At rest: everybody has what it should, and nothing else is there. */
async function checkAtRest(node: VolumeNode): Promise<void> {
  await checkRunning(node);
  const { items } = await pods(node).list();
  for (const name of CLAIMS) {
    const users = items.filter((pod) => claimsOf(pod).includes(name));
    const wanted = new Set(users.map((pod) => targetOf(node, pod.metadata.uid, name)));
    const { publishedAt, stagedAt } = node.driver.volume(name);
    if (name === 'only') {
      assert.ok(publishedAt.size <= 1 && publishedAt.isSubsetOf(wanted), `${name} has more than one user`);
    } else {
      assert.deepEqual(publishedAt, wanted, `${name} is mounted by exactly who should`);
    }
    assert.equal(stagedAt !== undefined, wanted.size > 0, `${name} is staged when somebody wants it`);
  }
}

async function settle(node: VolumeNode): Promise<void> {
  if (node.faults.hasCrashed) {
    // What the process had begun on the disk is done or not when the next one starts.
    for (let step = 0; step < 50; step++) await stat(node.root);
    await node.restart();
  }
  await node.cluster.settled();
}

async function act(node: VolumeNode, what: Action): Promise<void> {
  const { cluster, driver, faults } = node;
  switch (what.do) {
    case 'create':
      await run(node, `p${what.pod}`, what.claims, { terminationGracePeriodSeconds: 2 }).catch(
        (error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        },
      );
      return;
    case 'delete':
      await pods(node)
        .delete(`p${what.pod}`, what.isForced ? { gracePeriodSeconds: 0 } : {})
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      return;
    case 'fault': {
      let left = what.times;
      driver.fault = (called) => (called === what.method && left-- > 0 ? what.fault : undefined);
      return;
    }
    case 'api':
      faults.fail({
        path: what.path,
        answer: { code: 500, reason: 'InternalError' },
        afterwards: what.afterwards,
      });
      return;
    case 'crash':
      await node.crash();
      return;
    case 'crash in call':
      driver[what.moment === 'before' ? 'during' : 'after'] = async (called) => {
        if (called !== what.method) return;
        driver.during = () => undefined;
        driver.after = () => undefined;
        await node.crash();
        if (what.moment === 'before') throw new Error('the process is gone');
      };
      return;
    case 'crash after write':
      faults.crashAfterWrites(what.writes);
      return;
    case 'pass':
      await cluster.advance(what.ms);
      return;
    default:
      what satisfies never;
  }
}

describe('volumes on a node where everything goes wrong', () => {
  it('are mounted by exactly who should', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        await using node = await startVolumeNode();
        for (const name of CLAIMS)
          await claim(node, name, name === 'only' ? { accessModes: ['ReadWriteOncePod'] } : {});
        for (const each of actions) {
          await act(node, each);
          await settle(node);
          await checkRunning(node);
        }
        node.driver.fault = () => undefined;
        node.driver.during = () => undefined;
        node.driver.after = () => undefined;
        const rest = async (): Promise<void> => {
          for (let round = 0; round < 5; round++) {
            await node.cluster.clock.advance(125_000);
            await settle(node);
          }
        };
        await rest();
        await checkAtRest(node);
        for (const { metadata } of (await pods(node).list()).items) await pods(node).delete(metadata.name);
        await rest();
        await checkAtRest(node);
        const left = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);
        assert.deepEqual(left(join(node.root, 'pods')), []);
        assert.deepEqual(left(join(node.root, 'plugins/kubernetes.io/csi', DRIVER)), []);
      }),
      {
        numRuns: Number(process.env['VOLUME_RUNS'] ?? 12),
        endOnFailure: true,
      },
    );
  });
});
