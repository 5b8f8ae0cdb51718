// Whatever fails, and whenever the process dies: storage and volume objects stay in step, and no claim gets
// storage twice. One property over random lives of claims, drivers and processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConflict, isNotFound } from '@windlass/apimachinery';
import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { silentLogger } from '@windlass/base';
import type { TestManager } from '@windlass/cluster/testing';
import { GrpcError } from '@windlass/grpc';
import * as fc from 'fast-check';
import type { CsiServices } from '../protocol/services.ts';
import {
  claim,
  type DriverHooks,
  GIB,
  type StorageCluster,
  startStorage,
  withHooks,
} from '../testing/storage-cluster.ts';
import { addProvisioner } from './provisioner.ts';

const NAMES = ['a', 'b'] as const;
const PENDING = 'windlass.dev/provisioning';

type Name = (typeof NAMES)[number];
type Step =
  | { readonly do: 'claim' | 'unclaim' | 'release'; readonly name: Name }
  /** The process dies after so many more writes. */
  | { readonly do: 'crash'; readonly afterWrites: number }
  /** Another begins, where one has died. */
  | { readonly do: 'start' }
  /** The next calls to the driver fail, before or after it has acted. */
  | {
      readonly do: 'fail';
      readonly calls: number;
      readonly acts: boolean;
      readonly code: 'UNAVAILABLE' | 'INTERNAL';
    }
  /** The next requests to the server fail, before or after it has acted. */
  | {
      readonly do: 'lose';
      readonly afterwards: boolean;
      readonly method: 'POST' | 'PUT' | 'DELETE' | 'PATCH';
    }
  | { readonly do: 'conflict' }
  | { readonly do: 'wait'; readonly ms: number };

const name = fc.constantFrom(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unclaim' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('crash' as const), afterWrites: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'start' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      calls: fc.integer({ min: 1, max: 3 }),
      acts: fc.boolean(),
      code: fc.constantFrom('UNAVAILABLE' as const, 'INTERNAL' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      afterwards: fc.boolean(),
      method: fc.constantFrom('POST' as const, 'PUT' as const, 'DELETE' as const, 'PATCH' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'conflict' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1000, 10_000) }),
  },
);

class World {
  readonly storage: StorageCluster;
  readonly #hooks: DriverHooks = {};
  readonly #driver: CsiServices;
  #failing: { calls: number; acts: boolean; code: 'UNAVAILABLE' | 'INTERNAL' } | undefined;
  #process: TestManager | undefined;

  constructor(storage: StorageCluster) {
    this.storage = storage;
    this.#driver = withHooks(storage.driver, this.#hooks);
    const failNow = (acts: boolean): void => {
      const failing = this.#failing;
      // A driver that says INTERNAL says that it has not acted.
      if (failing === undefined || (failing.acts && failing.code === 'UNAVAILABLE') !== acts) return;
      if (--failing.calls <= 0) this.#failing = undefined;
      throw new GrpcError(failing.code, 'injected');
    };
    this.#hooks.before = () => failNow(false);
    this.#hooks.after = () => failNow(true);
  }

  async restart(): Promise<void> {
    const made = this.storage.cluster.manager({ logger: silentLogger });
    addProvisioner(made.manager, { driver: this.#driver, retryMs: 1000, maxRetryMs: 8000 });
    this.#process = made;
    await made.manager.start();
  }

  async take(next: Step): Promise<void> {
    const { cluster, driver, claims, volumes } = this.storage;
    const faults = this.#process?.faults;
    switch (next.do) {
      case 'claim':
        await claims.create(claim(driver, next.name)).catch(() => {});
        break;
      case 'unclaim':
        await this.#removeClaim(next.name);
        break;
      case 'release': {
        const { items } = await volumes.list();
        const found = items.find(({ spec }) => spec?.claimRef?.name === next.name);
        if (found !== undefined) await this.#release(found);
        break;
      }
      case 'crash':
        faults?.crashAfterWrites(next.afterWrites);
        break;
      case 'start':
        if (faults?.hasCrashed === true) await this.restart();
        break;
      case 'fail':
        this.#failing = { ...next };
        break;
      case 'lose':
        faults?.fail({ method: next.method, afterwards: next.afterwards, answer: 'lost' });
        break;
      case 'conflict':
        faults?.conflict();
        break;
      case 'wait':
        await cluster.advance(next.ms);
        break;
      default:
        next satisfies never;
    }
  }

  /** As the API server and the claim-protection controller do: gone unless somebody holds it. */
  async #removeClaim(which: Name): Promise<void> {
    const { claims } = this.storage;
    await claims.delete(which).catch(() => {});
    await this.#letGo(which);
  }

  async #letGo(which: Name): Promise<void> {
    const { claims } = this.storage;
    try {
      const found = await claims.get(which);
      if (found.metadata?.deletionTimestamp === undefined) return;
      const finalizers = (found.metadata.finalizers ?? []).filter((each) => each === PENDING);
      await claims.replace({ ...found, metadata: { ...found.metadata, finalizers } });
    } catch (error) {
      // The next round tries again.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** As the binder does when a volume's claim has gone. */
  async #release(volume: PersistentVolume): Promise<void> {
    const { claims, volumes } = this.storage;
    const present = await claims.get(volume.spec?.claimRef?.name ?? '').catch(() => undefined);
    if (present?.metadata?.uid === volume.spec?.claimRef?.uid) return;
    const live = await volumes.get(volume.metadata?.name ?? '');
    if (live.status?.phase !== 'Released')
      await volumes.status.replace({ ...live, status: { phase: 'Released' } });
  }

  /** All faults end, and everything that is due is done. */
  async calmDown(): Promise<void> {
    const { cluster, volumes } = this.storage;
    this.#failing = undefined;
    this.#process?.faults.crashAfterWrites(0);
    await this.restart();
    for (let round = 0; round < 6; round++) {
      await cluster.advance(10_000);
      for (const each of NAMES) await this.#letGo(each);
      for (const volume of (await volumes.list()).items) await this.#release(volume);
    }
    await cluster.advance(10_000);
  }

  /** What must hold at rest. */
  async check(): Promise<void> {
    const { driver, claims, volumes } = this.storage;
    const made = driver.volumes
      .all()
      .map(({ id }) => id)
      .sort();
    const objects = (await volumes.list()).items.filter(
      // The volume-protection controller is not there; only its finalizer is.
      ({ metadata }) => metadata?.deletionTimestamp === undefined,
    );
    const told = objects.map(({ spec }) => spec?.csi?.volumeHandle ?? '').sort();
    assert.deepEqual(made, told, 'each volume has its object, and each object its volume');
    const { items } = await claims.list();
    assert.deepEqual(
      items.map(({ metadata }) => `id-pvc-${metadata.uid}`).sort(),
      made,
      'each claim has one volume, and nobody else has one',
    );
    for (const { metadata } of items)
      assert.ok(!metadata?.finalizers?.includes(PENDING), 'a claim is still held');
  }
}

/** That a driver fails says nothing of what an earlier call made, whose answer was lost. */
const INTERNAL_AFTER_A_LOST_ANSWER: Step[] = [
  { do: 'claim', name: 'b' },
  { do: 'fail', calls: 1, acts: false, code: 'UNAVAILABLE' },
  { do: 'wait', ms: 0 },
  { do: 'fail', calls: 1, acts: true, code: 'UNAVAILABLE' },
  { do: 'crash', afterWrites: 0 },
  { do: 'unclaim', name: 'b' },
  { do: 'claim', name: 'a' },
  { do: 'wait', ms: 0 },
  { do: 'start' },
  { do: 'fail', calls: 1, acts: false, code: 'INTERNAL' },
  { do: 'wait', ms: 0 },
];

test('no storage is lost and none is made twice, whatever fails and whenever the process dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), fc.integer(), async (steps, seed) => {
      await using storage = await startStorage({ 'node-1': 100 * GIB }, { seed });
      const world = new World(storage);
      await world.restart();
      for (const next of steps) await world.take(next);
      await world.calmDown();
      await world.check();
    }),
    {
      numRuns: Number(process.env['WINDLASS_CSI_RUNS'] ?? 20),
      examples: [[INTERNAL_AFTER_A_LOST_ANSWER, 0]],
    },
  );
});
