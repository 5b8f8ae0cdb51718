// The controllers' own code in three replicas, on a store of two maps, with every wait in an order that a seed decides:
// small enough for thousands of seeds. The whole thing, on an API server, is in concurrency.test.ts.
//
// WINDLASS_SEEDS=N runs that many seeds, WINDLASS_SEED=N others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  isBeingDeleted,
  isNotFound,
  newAlreadyExists,
  newConflict,
  newNotFound,
  removeFinalizer,
  type Served,
} from '@windlass/apimachinery';
import { FakeClock, nextTurn, noMetrics, SeededRandom, silentLogger } from '@windlass/base';
import { runAlone, testSeeds } from '@windlass/base/testing';
import { type ResourceClient, TransportError } from '@windlass/client';
import { GrpcError } from '@windlass/csi';
import {
  type KindClient,
  type Manager,
  type ReconcileContext,
  type ReconcileResult,
  silentRecorder,
} from '@windlass/runtime';
import {
  freeCapacity,
  measuredCapacity,
  release,
  usableCapacity,
  withUsableCapacity,
} from '../accounting/index.ts';
import {
  type DirectPVDrive,
  type DirectPVSnapshot,
  type DirectPVVolume,
  FINALIZERS,
  isReleased,
  readReservations,
  volumesOfDrive,
} from '../resources/index.ts';
import { buildDrive } from '../testing/index.ts';
import type { ControllerContext } from './context.ts';
import { createVolume } from './create-volume.ts';
import { deleteVolume } from './delete-volume.ts';
import { DriveLedger } from './drive-ledger.ts';
import { DriveRepair } from './drive-repair.ts';
import { expandVolume } from './expand-volume.ts';
import { KeyedLock } from './keyed-lock.ts';
import { type ControllerMetrics, controllerMetrics } from './metrics.ts';
import { ObjectChanges } from './object-changes.ts';
import { parseCreateVolume } from './volume-request.ts';

type Drive = Served<DirectPVDrive>;
type Volume = Served<DirectPVVolume>;
type Thing = Drive | Volume;
type Kind = 'drives' | 'volumes';
type Repair = (drive: string, run: ReconcileContext) => Promise<ReconcileResult>;

const GRACE_MS = 300_000;
const NEVER = new AbortController().signal;
const seeds = testSeeds(60, { remembered: [5077, 21868093802] });

/** What is there, and an order of events that the seed decides. */
class World {
  readonly random: SeededRandom;
  readonly clock = new FakeClock();
  readonly drives = new Map<string, Drive>();
  readonly volumes = new Map<string, Volume>();
  readonly replicas: Replica[] = [];
  readonly repairs = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #version = 0;
  isCalm = false;
  /** Whether nodes measure, and somebody else writes what drives have: then their sums may be wrong for a while. */
  readonly isMeasured: boolean;

  constructor(seed: number, isMeasured = false) {
    this.random = new SeededRandom(seed);
    this.isMeasured = isMeasured;
  }

  /** Waits for its turn among all that wait. */
  turn(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Until all of it is done: one of those that wait goes on at a time. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    for (;;) {
      await nextTurn();
      if (isDone) return work;
      const at = this.#waiting.length === 0 ? -1 : this.random.int(this.#waiting.length);
      if (at === -1) await this.clock.advance(50);
      else this.#waiting.splice(at, 1)[0]?.();
    }
  }

  /** Lets everybody hear of everything. */
  async quiet(): Promise<void> {
    for (;;) {
      await nextTurn();
      if (this.#waiting.length === 0) return;
      this.#waiting.splice(this.random.int(this.#waiting.length), 1)[0]?.();
    }
  }

  of(kind: Kind): Map<string, Thing> {
    return this[kind];
  }

  put(kind: Kind, object: DirectPVDrive | DirectPVVolume, isNew: boolean): Thing {
    const { name = '' } = object.metadata ?? {};
    const known = this.of(kind).get(name);
    const resource = { group: 'directpv.min.io', resource: kind };
    if (isNew && known !== undefined) throw newAlreadyExists(resource, name);
    if (!isNew && known === undefined) throw newNotFound(resource, name);
    if (!isNew && known?.metadata.resourceVersion !== object.metadata?.resourceVersion)
      throw newConflict(resource, name);
    const uid = known?.metadata.uid ?? `uid-${++this.#version}`;
    const metadata = {
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...object.metadata,
      name,
      uid,
      resourceVersion: String(++this.#version),
    };
    const stored: Thing = { ...object, metadata };
    const isGone = isBeingDeleted(stored) && (metadata.finalizers ?? []).length === 0;
    if (isGone) this.of(kind).delete(name);
    else this.of(kind).set(name, stored);
    if (kind === 'drives') {
      if (this.isMeasured) requireBounded(known as Drive | undefined, stored as Drive);
      else this.#requireExact(stored as Drive);
    }
    for (const replica of this.replicas) replica.tell(kind, stored, isGone);
    return stored;
  }

  delete(kind: Kind, name: string): void {
    const known = this.of(kind).get(name);
    if (known === undefined) throw newNotFound({ group: 'directpv.min.io', resource: kind }, name);
    if (isBeingDeleted(known)) return;
    const metadata = { ...known.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    this.put(kind, { ...known, metadata }, false);
  }

  get(kind: Kind, name: string): Thing {
    const found = this.of(kind).get(name);
    if (found === undefined) throw newNotFound({ group: 'directpv.min.io', resource: kind }, name);
    return found;
  }

  /** At every moment, not only at rest: repairs must find nothing that was never right. */
  #requireExact(drive: Drive): void {
    const { totalCapacity, allocatedCapacity, freeCapacity } = drive.status;
    const reservations = readReservations(drive);
    const held = volumesOfDrive(drive).map(
      (id) => reservations.get(id)?.bytes ?? this.volumes.get(id)?.status.totalCapacity ?? 0,
    );
    assert.ok(freeCapacity >= 0, `drive ${drive.status.fsuuid} is over-committed`);
    assert.equal(freeCapacity + allocatedCapacity, totalCapacity);
    assert.equal(
      allocatedCapacity,
      held.reduce((sum, bytes) => sum + bytes, 0),
      `drive ${drive.status.fsuuid} does not count what it holds`,
    );
  }

  /** Nodes measure more or less than before, and DirectPV's own node server writes the size of the device. */
  async measure(random: SeededRandom): Promise<void> {
    for (let round = 0; round < 12; round++) {
      for (let turn = random.int(12); turn >= 0; turn--) await this.turn();
      const drive = [...this.drives.values()][random.int(this.drives.size)];
      assert.ok(drive !== undefined);
      if (random.int(3) > 0) {
        const measured = withUsableCapacity(drive, 50 + random.int(80));
        if (measured !== drive) this.put('drives', measured as DirectPVDrive, false);
        continue;
      }
      const { allocatedCapacity } = drive.status;
      const status = { ...drive.status, totalCapacity: 200, freeCapacity: 200 - allocatedCapacity };
      this.put('drives', { ...drive, status }, false);
    }
  }

  /** What nodes do. */
  async purge(): Promise<void> {
    for (const volume of Array.from(this.volumes.values())) {
      if (!isBeingDeleted(volume) || !isReleased(volume)) continue;
      const name = volume.metadata.name;
      const drive = this.drives.get(volume.status.fsuuid);
      assert.ok(drive !== undefined);
      const free = release(drive, { volume: name, bytes: volume.status.totalCapacity });
      if (free !== drive) this.put('drives', free as DirectPVDrive, false);
      // A node may die here, too: then it comes back.
      await this.turn();
      const now = this.volumes.get(name);
      if (now !== undefined) this.put('volumes', removeFinalizer(now, FINALIZERS.purgeProtection), false);
    }
  }
}

/** Nothing is promised that was not measured, at any moment, whoever wrote the drive before. */
function requireBounded(before: Drive | undefined, after: Drive): void {
  const measured = measuredCapacity(after);
  const { allocatedCapacity, fsuuid } = after.status;
  assert.ok(freeCapacity(after) >= 0);
  if (measured === undefined) return;
  assert.ok(freeCapacity(after) + allocatedCapacity <= Math.max(measured, allocatedCapacity));
  if (allocatedCapacity > (before?.status.allocatedCapacity ?? 0))
    assert.ok(allocatedCapacity <= measured, `drive ${fsuuid} has promised what is not there`);
}

/** One process: the controller's own code, with a cache that is told of everything, late. */
class Replica {
  readonly context: ControllerContext;
  readonly #world: World;
  readonly #cached = new Map<string, Volume>();
  readonly #inbox: (() => void)[] = [];
  #repair: Repair | undefined = undefined;
  #writesUntilCrash = Number.POSITIVE_INFINITY;
  #isPumping = false;
  hasCrashed = false;

  constructor(world: World) {
    this.#world = world;
    const { clock, random } = world;
    const metrics: ControllerMetrics = {
      ...controllerMetrics(noMetrics),
      repaired: (what) => void world.repairs.add(what),
    };
    const recorded =
      (drive: string) =>
      (id: string): number | undefined => {
        const status = this.#cached.get(id)?.status;
        return status?.fsuuid === drive ? status.totalCapacity : undefined;
      };
    const drives = this.#clientOf<DirectPVDrive>('drives');
    const ledger = new DriveLedger({ drives, recorded, clock, random, metrics });
    this.context = {
      ledger,
      volumes: this.#volumes(),
      snapshots: noSnapshots,
      changes: new ObjectChanges(),
      locks: new KeyedLock(),
      clock,
      random,
      logger: silentLogger,
      recorder: silentRecorder,
      metrics,
    };
    for (const drive of world.drives.values()) ledger.observe(drive);
    for (const [name, volume] of world.volumes) this.#cached.set(name, volume);
    const builder = {
      for: () => builder,
      watches: () => builder,
      reconcile: (run: Repair) => {
        this.#repair = run;
      },
    };
    const holdingsOf = (drive: string): Volume[] =>
      [...this.#cached.values()].filter(({ status }) => status.fsuuid === drive);
    new DriveRepair(this.context, { graceMs: GRACE_MS, holdingsOf }).addTo({
      controller: () => builder,
    } as unknown as Manager);
  }

  crashAfter(writes: number): void {
    this.#writesUntilCrash = writes;
  }

  /** Something has happened; it is heard of in order, some time. */
  tell(kind: Kind, object: Thing, isGone: boolean): void {
    if (this.hasCrashed) return;
    this.#inbox.push(() => this.#hear(kind, object, isGone));
    if (!this.#isPumping) void this.#pump();
  }

  async repair(drive: string): Promise<void> {
    await this.#repair?.(drive, { signal: NEVER, logger: silentLogger } as ReconcileContext);
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    while (this.#inbox.length > 0) {
      await this.#world.turn();
      this.#inbox.shift()?.();
    }
    this.#isPumping = false;
  }

  #hear(kind: Kind, object: Thing, isGone: boolean): void {
    const name = object.metadata.name;
    if (kind === 'drives') this.context.ledger.observe(object as Drive);
    else if (isGone) this.#cached.delete(name);
    else this.#remember(object as Volume);
  }

  #remember(volume: Volume): void {
    const name = volume.metadata.name;
    const known = Number(this.#cached.get(name)?.metadata.resourceVersion ?? 0);
    if (Number(volume.metadata.resourceVersion) > known) this.#cached.set(name, volume);
  }

  /** A request: it may be late, refused, or done without an answer; its process may die on the way. */
  async #ask<T>(isWrite: boolean, work: () => T): Promise<T> {
    const { random, isCalm } = this.#world;
    await this.#world.turn();
    this.#requireAlive();
    if (isWrite && this.#writesUntilCrash-- <= 0) this.hasCrashed = true;
    this.#requireAlive();
    const fate = !isWrite || isCalm ? 99 : random.int(100);
    if (fate < 4) throw new TransportError('lost', { code: 'CONNECTION_LOST', sent: false });
    const answer = work();
    await this.#world.turn();
    this.#requireAlive();
    if (fate < 8) throw new TransportError('lost', { code: 'CONNECTION_LOST', sent: true });
    return answer;
  }

  #requireAlive(): void {
    if (this.hasCrashed) throw new TransportError('dead', { code: 'TRANSPORT_CLOSED', sent: false });
  }

  #clientOf<T extends DirectPVDrive | DirectPVVolume>(kind: Kind): ResourceClient<T> {
    const world = this.#world;
    const client = {
      get: (name: string) => this.#ask(false, () => world.get(kind, name)),
      replace: (object: T) => this.#ask(true, () => world.put(kind, object, false)),
      create: (object: T) => this.#ask(true, () => world.put(kind, object, true)),
      delete: (name: string) => this.#ask(true, () => world.delete(kind, name)),
      items: async function* () {
        yield* world.of(kind).values();
      },
    };
    // What the code under test calls, and nothing else.
    return client as unknown as ResourceClient<T>;
  }

  #volumes(): KindClient<DirectPVVolume> {
    const live = this.#clientOf<DirectPVVolume>('volumes');
    const remembered = async (work: Promise<Volume>): Promise<Volume> => {
      const volume = await work;
      this.#remember(volume);
      return volume;
    };
    const client = {
      live: () => live,
      find: async (name: string) => this.#cached.get(name),
      create: (volume: DirectPVVolume) => remembered(live.create(volume)),
      update: (volume: DirectPVVolume) => remembered(live.replace(volume)),
      delete: async (name: string) => {
        await live.delete(name).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      },
    };
    return client as unknown as KindClient<DirectPVVolume>;
  }
}

/** Here nobody takes any. */
const noSnapshots = {
  live: () => ({
    items: async function* () {},
  }),
} as unknown as KindClient<DirectPVSnapshot>;

const mount = { mount: { fsType: 'xfs', mountFlags: [], volumeMountGroup: '' } };
const volumeCapabilities = [{ ...mount, accessMode: { mode: 'SINGLE_NODE_WRITER' as const } }];

/** What becomes of a few volumes in one world. */
async function runWorld(seed: number, isMeasured = false): Promise<{ crashed: number; refused: number }> {
  const world = new World(seed, isMeasured);
  const { random } = world;
  for (const name of ['d1', 'd2', 'd3'])
    world.put('drives', buildDrive({ fsuuid: name, totalCapacity: 100 }), true);
  for (let at = 0; at < 3; at++) world.replicas.push(new Replica(world));
  const promised = new Map<string, number>();
  let refused = 0;
  let crashed = 0;

  const call = async <T>(work: (context: ControllerContext) => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      const replica = world.replicas[random.int(world.replicas.length)];
      assert.ok(replica !== undefined);
      try {
        return await work(replica.context);
      } catch (error) {
        if (
          error instanceof GrpcError &&
          (error.code === 'OUT_OF_RANGE' || error.code === 'RESOURCE_EXHAUSTED')
        ) {
          refused++;
          return undefined;
        }
        // What the service would answer INTERNAL or ABORTED to is asked again.
        if (error instanceof GrpcError && error.code !== 'ABORTED') throw error;
        if (!(error instanceof Error)) throw error;
      }
      await world.turn();
    }
  };
  const live = async (name: string): Promise<void> => {
    const bytes = 10 + random.int(40);
    const more = bytes + 1 + random.int(40);
    const fate = random.int(6);
    const request = parseCreateVolume({
      name,
      capacityRange: { requiredBytes: bytes, limitBytes: 0 },
      volumeCapabilities,
      parameters: {},
      secrets: {},
      mutableParameters: {},
    });
    const create = () => call((context) => createVolume(context, request, NEVER));
    const created = await Promise.all([create(), create()]);
    if (created.every((answer) => answer === undefined)) return;
    promised.set(name, bytes);
    if (fate > 1) {
      const size = { required: more, limit: 0 };
      const grow = () => call((context) => expandVolume(context, name, size, NEVER));
      const grown = await Promise.all([grow(), grow()]);
      if (grown.some((answer) => answer !== undefined)) promised.set(name, more);
    }
    if (fate % 2 === 0) return;
    const remove = () => call((context) => deleteVolume(context, name, NEVER).then(() => true));
    await Promise.all([remove(), remove()]);
    promised.delete(name);
  };
  const crash = async (): Promise<void> => {
    for (let turn = random.int(60); turn > 0; turn--) await world.turn();
    const at = random.int(world.replicas.length);
    world.replicas[at]?.crashAfter(random.int(4));
    for (let turn = random.int(40); turn > 0; turn--) await world.turn();
    if (world.replicas[at]?.hasCrashed === true) crashed++;
    world.replicas[at]?.crashAfter(0);
    world.replicas[at] = new Replica(world);
  };
  const nodes = async (): Promise<void> => {
    for (let round = 0; round < 10; round++) {
      await world.turn();
      await world.purge();
    }
  };
  const names = Array.from({ length: 8 }, (_, at) => `v${at}`);
  const measuring = isMeasured ? [world.measure(new SeededRandom(seed + 1_000_000))] : [];
  await world.until(Promise.all([...names.map(live), crash(), crash(), nodes(), ...measuring]));

  // Everybody has gone home: time passes, and what is left over is repaired.
  world.isCalm = true;
  for (let round = 0; round < 5; round++) {
    await world.quiet();
    for (const replica of world.replicas)
      for (const drive of world.drives.keys()) await world.until(replica.repair(drive));
    await world.until(world.purge());
    await world.clock.advance(GRACE_MS * 1.2);
  }
  check(world, promised);
  // A crash leaves things half-done, but never wrong.
  for (const what of isMeasured ? ['unheld-volume'] : ['sums', 'unheld-volume'])
    assert.ok(!world.repairs.has(what), `repaired: ${what}`);
  return { crashed, refused };
}

function check({ drives, volumes }: World, promised: ReadonlyMap<string, number>): void {
  for (const [name, drive] of drives) {
    const { totalCapacity, allocatedCapacity, freeCapacity: free } = drive.status;
    const own = [...volumes.values()].filter(({ status }) => status.fsuuid === name);
    assert.equal(free, Math.max(0, usableCapacity(drive) - allocatedCapacity), `${name}: free`);
    assert.equal(totalCapacity, usableCapacity(drive), `${name}: total`);
    assert.equal(
      allocatedCapacity,
      own.reduce((sum, { status }) => sum + status.totalCapacity, 0),
      `${name}: allocated is the sum of its volumes`,
    );
    assert.deepEqual(
      volumesOfDrive(drive).toSorted(),
      own.map(({ metadata }) => metadata.name).toSorted(),
      `${name}: every finalizer has its volume`,
    );
    assert.equal(readReservations(drive).size, 0, `${name}: nothing is under way`);
  }
  const left = new Map([...volumes].map(([name, { status }]) => [name, status.totalCapacity]));
  assert.deepEqual(left, promised, 'what was promised is there, with its size, and nothing else');
}

it(`adds up at rest, whatever the order of events (${seeds.length} seeds)`, async () => {
  let crashed = 0;
  let refused = 0;
  for (const seed of seeds) {
    try {
      const result = await runWorld(seed);
      crashed += result.crashed;
      refused += result.refused;
    } catch (error) {
      throw new Error(runAlone(seed), { cause: error });
    }
  }
  // Else nothing was shown.
  if (seeds.length >= 50) assert.ok(crashed > 0 && refused > 0, `${crashed} crashes, ${refused} refusals`);
});

it('promises nothing that was not measured, while nodes measure and others write drives', async () => {
  let refused = 0;
  for (const seed of seeds)
    try {
      refused += (await runWorld(seed, true)).refused;
    } catch (error) {
      throw new Error(runAlone(seed), { cause: error });
    }
  if (seeds.length >= 50) assert.ok(refused > 0, 'nothing was refused');
});
