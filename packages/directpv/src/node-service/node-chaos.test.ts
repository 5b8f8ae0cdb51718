// Random work on a node whose disks fail, whose process crashes, and whose API server refuses: when all of that is
// over, nothing is lost, nothing is left, and the books agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { testSeeds } from '@windlass/base/testing';
import type { FakeOperation } from '../os/fake-calls.ts';
import { GIB, NodeTest } from '../testing/node-test.ts';

const DISKS = ['sdb', 'sdc'];
const STEPS = 80;
const FAILING: readonly FakeOperation[] = [
  'makeDirectory',
  'bindMount',
  'unmount',
  'rename',
  'removeTree',
  'setQuota',
  'list',
  'mount',
];

class Chaos {
  readonly #node: NodeTest;
  readonly #random: SeededRandom;
  /** What has been asked for; the node may not have done it. */
  readonly #volumes = new Map<string, Set<string>>();
  #count = 0;

  constructor(node: NodeTest, seed: number) {
    this.#node = node;
    this.#random = new SeededRandom(seed);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#random.int(Math.max(1, from.length))];
  }

  async step(): Promise<void> {
    const node = this.#node;
    const volume = this.#pick([...this.#volumes.keys()]);
    const pods = volume === undefined ? undefined : this.#volumes.get(volume);
    switch (this.#random.int(12)) {
      case 0:
      case 1: {
        const name = `pvc-${++this.#count}`;
        this.#volumes.set(name, new Set());
        return this.#try(node.create(name, (1 + this.#random.int(2)) * GIB));
      }
      case 2:
        if (volume !== undefined) await this.#try(node.stage(volume));
        return;
      case 3:
      case 4: {
        if (volume === undefined) return;
        const pod = `${volume}-pod-${this.#random.int(2)}`;
        pods?.add(pod);
        return this.#try(node.publish(volume, pod));
      }
      case 5: {
        const pod = this.#pick([...(pods ?? [])]);
        if (volume !== undefined && pod !== undefined) await this.#try(node.unpublish(volume, pod));
        return;
      }
      case 6:
        if (volume !== undefined) await this.#try(this.#discard(volume));
        return;
      case 7:
        return node.os.unplug(this.#pick(DISKS) ?? 'sdb');
      case 8:
        for (const disk of DISKS) if (!node.os.disk(disk).isPlugged) node.os.plug(disk);
        return;
      case 9: {
        const operation = this.#pick(FAILING) ?? 'rename';
        return node.os.fail({ operation, code: this.#pick(['EIO', 'EBUSY', 'EACCES']) ?? 'EIO' });
      }
      case 10:
        node.process.faults.conflict({ method: 'PUT', path: /directpv(volumes|drives)/ });
        return;
      default:
        node.process.faults.crashAfterWrites(this.#random.int(3));
        await node.cluster.clock.advance(1000);
        return node.restart();
    }
  }

  /** What the kubelet and the provisioner would have done in the end. */
  async finish(): Promise<void> {
    const node = this.#node;
    node.os.heal();
    node.process.faults.heal();
    for (const disk of DISKS) if (!node.os.disk(disk).isPlugged) node.os.plug(disk);
    await node.restart();
    await node.cluster.advance(600_000);
    await node.assertConsistent();
    for (const volume of this.#volumes.keys()) await this.#node.inTime(this.#discard(volume));
    await node.cluster.advance(600_000);
  }

  async #discard(volume: string): Promise<void> {
    for (const pod of this.#volumes.get(volume) ?? []) await this.#node.unpublish(volume, pod);
    await this.#node.unstage(volume);
    await this.#node.csi.deleteVolume({ volumeId: volume });
  }

  /** Callers of CSI try again; here something else comes next. */
  async #try(work: Promise<unknown>): Promise<void> {
    await this.#node.inTime(work).catch(() => {});
  }
}

for (const seed of testSeeds(5, { remembered: [10, 13, 21, 28] }))
  test(`seed ${seed}: nothing is lost, nothing is left`, async () => {
    await using node = await NodeTest.start(DISKS);
    const chaos = new Chaos(node, seed);
    for (let step = 0; step < STEPS; step++) await chaos.step();
    await chaos.finish();
    assert.deepEqual((await node.volumes.list()).items, []);
    await node.assertConsistent();
    for (const disk of DISKS) {
      const { status } = await node.drive(disk);
      assert.equal(status.status, 'Ready');
      assert.equal(status.freeCapacity, status.totalCapacity);
      const left = [...node.os.disk(disk).root.children.keys()].filter((name) => !name.startsWith('.'));
      assert.deepEqual(left, []);
      assert.equal(node.os.disk(disk).limits.size, 0, 'no limit is left');
    }
    const mounts = (await node.os.mounts()).filter(({ root }) => root !== '/');
    assert.deepEqual(mounts, []);
  });
