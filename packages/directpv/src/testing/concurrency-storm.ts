import assert from 'node:assert/strict';
import { isBeingDeleted, isConflict, isNotFound, removeFinalizer } from '@windlass/apimachinery';
import { createLogger, memoryWriter, nextTurn, SeededRandom } from '@windlass/base';
import { type Client, retryOnConflict } from '@windlass/client';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { type CsiDriver, directDriver, GrpcError } from '@windlass/csi';
import { release } from '../accounting/capacity.ts';
import { addDirectPVController } from '../controller-service/add-directpv-controller.ts';
import { identityService } from '../controller-service/identity-service.ts';
import { resourceDefinitions } from '../resources/definitions.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { FINALIZERS, volumesOfDrive } from '../resources/finalizers.ts';
import { LABELS } from '../resources/labels.ts';
import { readReservations } from '../resources/reservations.ts';
import { DirectPVVolume, isReleased } from '../resources/volume.ts';
import { buildDrive } from './builders.ts';
import { ChaosTransport } from './chaos-transport.ts';

export interface StormOptions {
  readonly seed: number;
  readonly drives: number;
  /** Each is created by several calls at once, then perhaps expanded and deleted. */
  readonly volumes: number;
  /** Processes that die on the way. */
  readonly crashes: number;
}

export interface StormResult {
  readonly calls: number;
  readonly refused: number;
  readonly conflicts: number;
  readonly faults: number;
  /** Processes that died. */
  readonly crashed: number;
}

interface Replica extends TestManager {
  readonly csi: CsiDriver;
  readonly chaos: ChaosTransport;
}

const MiB = 2 ** 20;
const DRIVE_BYTES = 1_000 * MiB;
const REPLICAS = 3;
const ATTEMPTS = 60;
const mount = { mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' as const } };
/** Codes after which a caller tries again. */
const AGAIN: ReadonlySet<string> = new Set(['ABORTED', 'UNAVAILABLE', 'INTERNAL', 'DEADLINE_EXCEEDED']);

/** Runs it all, and checks what is left. */
export async function runStorm(options: StormOptions): Promise<StormResult> {
  await using storm = await Storm.start(options);
  await storm.run();
  await storm.rest();
  await storm.check();
  return storm.result();
}

class Storm implements AsyncDisposable {
  readonly #options: StormOptions;
  readonly #cluster: TestCluster;
  readonly #random: SeededRandom;
  readonly #replicas: Replica[] = [];
  readonly #all: Replica[] = [];
  /** What callers were promised: by volume id, its bytes. */
  readonly #promised = new Map<string, number>();
  #calls = 0;
  #refused = 0;
  readonly #crashes: Promise<void>[] = [];
  #isOver = false;

  private constructor(options: StormOptions, cluster: TestCluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.#random = new SeededRandom(options.seed);
  }

  static async start(options: StormOptions): Promise<Storm> {
    const cluster = await startTestCluster({ definitions: resourceDefinitions, seed: options.seed });
    const storm = new Storm(options, cluster);
    for (let at = 0; at < options.drives; at++)
      await storm.#client
        .resource(DirectPVDrive)
        .create(buildDrive({ fsuuid: `d${at}`, node: `n${at % 10}`, totalCapacity: DRIVE_BYTES }));
    for (let at = 0; at < REPLICAS; at++) storm.#replicas.push(await storm.#startReplica());
    return storm;
  }

  async run(): Promise<void> {
    const { volumes } = this.#options;
    const lives = Array.from({ length: volumes }, (_, at) => this.#live(`pvc-${at}`));
    const all = Promise.all([...lives, this.#meddle()]).then(() => true);
    // Whoever waits for the clock gets it.
    while (!(await Promise.race([all, nextTurn().then(() => false)]))) {
      await this.#cluster.clock.advance(10);
      if (this.#random.int(20) === 0) void this.#purge();
    }
  }

  /** Everybody has gone home: time passes, and what is left over is repaired. */
  async rest(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#crashes);
    for (let round = 0; round < 3; round++) {
      await this.#cluster.advance(340_000);
      await this.#purge();
    }
    await this.#cluster.advance(340_000);
  }

  async check(): Promise<void> {
    const [drives, volumes] = await Promise.all([
      Array.fromAsync(this.#client.resource(DirectPVDrive).items()),
      Array.fromAsync(this.#client.resource(DirectPVVolume).items()),
    ]);
    const seed = `seed ${this.#options.seed}`;
    for (const drive of drives) {
      const name = drive.metadata.name;
      const { totalCapacity, allocatedCapacity, freeCapacity } = drive.status;
      const own = volumes.filter(({ status }) => status.fsuuid === name);
      const sum = own.reduce((bytes, { status }) => bytes + status.totalCapacity, 0);
      assert.equal(freeCapacity + allocatedCapacity, totalCapacity, `${name}: free + allocated, ${seed}`);
      assert.equal(allocatedCapacity, sum, `${name}: allocated is the sum of its volumes, ${seed}`);
      assert.ok(freeCapacity >= 0, `${name}: over-committed, ${seed}`);
      assert.deepEqual(
        volumesOfDrive(drive).toSorted(),
        own.map(({ metadata }) => metadata.name).toSorted(),
        `${name}: every finalizer has its volume, ${seed}`,
      );
      assert.deepEqual([...readReservations(drive).keys()], [], `${name}: nothing is under way, ${seed}`);
    }
    const left = new Map(volumes.map(({ metadata, status }) => [metadata.name, status.totalCapacity]));
    assert.deepEqual(
      left,
      this.#promised,
      `what was promised is there, with its size, and nothing else, ${seed}`,
    );
  }

  result(): StormResult {
    const conflicts = this.#all.map(({ manager }) => {
      const [, count = '0'] = /^directpv_drive_conflicts_total (\d+)$/m.exec(manager.metrics.expose()) ?? [];
      return Number(count);
    });
    return {
      calls: this.#calls,
      refused: this.#refused,
      conflicts: conflicts.reduce((sum, count) => sum + count, 0),
      faults: this.#all.reduce((sum, { chaos }) => sum + chaos.faults, 0),
      crashed: this.#all.filter(({ faults }) => faults.hasCrashed).length,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cluster.stop();
  }

  get #client(): Client {
    return this.#cluster.client;
  }

  /** What becomes of one volume. Callers are several at once: one may think that another has died. */
  async #live(name: string): Promise<void> {
    const bytes = (1 + this.#random.int(150)) * MiB;
    const isExpanded = this.#random.int(3) > 0;
    const isDeleted = this.#random.int(2) === 0;
    const more = bytes + (1 + this.#random.int(50)) * MiB;
    const created = await this.#together(3, () => this.#create(name, bytes));
    const volumeId = created.find((id) => id !== undefined);
    if (volumeId === undefined) return;
    this.#promised.set(volumeId, bytes);
    if (isExpanded) {
      const capacityRange = { requiredBytes: more };
      const expand = (csi: CsiDriver) => csi.controllerExpandVolume({ volumeId, capacityRange });
      const expanded = await this.#together(2, () => this.#call(expand));
      if (expanded.some((answer) => answer !== undefined)) this.#promised.set(volumeId, more);
    }
    if (!isDeleted) return;
    await this.#together(2, () => this.#call((csi) => csi.deleteVolume({ volumeId })));
    this.#promised.delete(volumeId);
  }

  #together<T>(count: number, work: () => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: count }, work));
  }

  async #create(name: string, requiredBytes: number): Promise<string | undefined> {
    const segments = { [LABELS.node]: `n${this.#random.int(10)}` };
    const isPlaced = this.#random.int(4) === 0;
    const created = await this.#call((csi) =>
      csi.createVolume({
        name,
        capacityRange: { requiredBytes },
        volumeCapabilities: [mount],
        // Preferred only, so that the two callers may ask for different places.
        ...(isPlaced && { accessibilityRequirements: { preferred: [{ segments }] } }),
      }),
    );
    return created?.volume?.volumeId;
  }

  /** As a sidecar does: tries again, with whichever replica answers. Undefined when there is no room. */
  async #call<T>(send: (csi: CsiDriver) => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; ; attempt++) {
      const replica = this.#replicas[this.#random.int(this.#replicas.length)];
      assert.ok(replica !== undefined);
      this.#calls++;
      // Each volume is worth about five calls.
      const { crashes, volumes } = this.#options;
      if (
        this.#crashes.length < crashes &&
        this.#calls > ((this.#crashes.length + 1) * volumes * 4) / (crashes + 1)
      )
        this.#crashes.push(this.#crash());
      try {
        return await send(replica.csi);
      } catch (error) {
        assert.ok(error instanceof GrpcError, String(error));
        if (error.code === 'OUT_OF_RANGE' || error.code === 'RESOURCE_EXHAUSTED') {
          this.#refused++;
          return undefined;
        }
        if (!AGAIN.has(error.code) || attempt >= ATTEMPTS) throw error;
      }
      await nextTurn();
    }
  }

  /** Others write to drives, too: labels, in this case. */
  async #meddle(): Promise<void> {
    const drives = this.#client.resource(DirectPVDrive);
    for (let round = 0; round < 100; round++) {
      const name = `d${this.#random.int(this.#options.drives)}`;
      await retryOnConflict(
        async () => {
          const drive = await drives.get(name);
          const labels = { ...drive.metadata?.labels, 'directpv.min.io/round': String(round) };
          return drives.replace({ ...drive, metadata: { ...drive.metadata, labels } });
        },
        { clock: this.#cluster.clock, random: this.#random, attempts: 50 },
      );
      for (let turn = 0; turn < 5; turn++) await nextTurn();
    }
  }

  /** Takes a process away in the middle of its work, and starts another one. */
  async #crash(): Promise<void> {
    const at = this.#random.int(this.#replicas.length);
    const victim = this.#replicas[at];
    victim?.faults.crashAfterWrites(1 + this.#random.int(10));
    const next = await this.#startReplica();
    this.#replicas[at] = next;
    void victim?.manager.stop();
  }

  /** What nodes do with volumes that nobody wants: the data is gone, then the bytes, then the object. */
  async #purge(): Promise<void> {
    const volumes = this.#client.resource(DirectPVVolume);
    const drives = this.#client.resource(DirectPVDrive);
    for await (const volume of volumes.items()) {
      if (!isBeingDeleted(volume) || !isReleased(volume)) continue;
      const name = volume.metadata.name;
      try {
        await retryOnConflict(
          async () => {
            const drive = await drives.get(volume.status.fsuuid);
            const { totalCapacity: bytes } = (await volumes.get(name)).status;
            const free = release(drive, { volume: name, bytes });
            return free === drive ? drive : drives.replace(free as DirectPVDrive);
          },
          { clock: this.#cluster.clock, random: this.#random, attempts: 50 },
        );
        const newest = await volumes.get(name);
        await volumes.replace(removeFinalizer(newest, FINALIZERS.purgeProtection));
      } catch (error) {
        // Another purge was there, or comes.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  async #startReplica(): Promise<Replica> {
    let chaos: ChaosTransport | undefined;
    const made = this.#cluster.manager({
      logger: createLogger(memoryWriter(), 'error'),
      random: this.#random,
      through: (inner) => {
        chaos = new ChaosTransport(inner, { random: this.#random, percent: 3, isOver: () => this.#isOver });
        return chaos;
      },
    });
    assert.ok(chaos !== undefined);
    const controller = addDirectPVController(made.manager);
    await made.manager.start();
    const identity = identityService({ version: 'test', isReady: () => controller.isReady });
    const csi = directDriver({ identity, controller }, { clock: this.#cluster.clock });
    const replica = { ...made, csi, chaos };
    this.#all.push(replica);
    return replica;
  }
}
