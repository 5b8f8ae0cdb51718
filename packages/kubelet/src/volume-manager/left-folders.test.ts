// The disk of the node fails half-way: the folders that were made go with their pod all the same.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { DRIVER } from '../testing/fake-driver.ts';
import { claim, isGone, pods, run, startVolumeNode } from '../testing/volume-node.ts';
import { machineFiles } from './files/machine-files.ts';
import type { NodeFiles } from './files/node-files.ts';

const failure = (code = 'EIO'): Error => Object.assign(new Error(code), { code });

/** Each has done half of it. */
const BROKEN: Readonly<Record<string, Partial<NodeFiles>>> = {
  makeFolder: {
    makeFolder: async (path) => {
      await mkdir(dirname(path), { recursive: true });
      throw failure();
    },
  },
  replaceText: {
    replaceText: async (path, text) => {
      await writeFile(`${path}.new`, text);
      throw failure();
    },
  },
  writePayload: {
    writePayload: async (path) => {
      await mkdir(path, { recursive: true });
      throw failure();
    },
  },
};

/** Files that fail as long as they are told to. */
function failing(broken: Partial<NodeFiles>): { files: NodeFiles; heal: () => void } {
  let isBroken = true;
  const files = new Proxy(machineFiles, {
    get: (whole, name: keyof NodeFiles) => (isBroken ? (broken[name] ?? whole[name]) : whole[name]),
  });
  return {
    files,
    heal: () => {
      isBroken = false;
    },
  };
}

describe('nothing is left of a pod', () => {
  for (const [what, broken] of Object.entries(BROKEN))
    it(`whose volumes could not be made, because of ${what}`, async () => {
      const { files, heal } = failing(broken);
      await using node = await startVolumeNode({ files });
      await claim(node, 'data');
      await run(node, 'web', [
        'data',
        { name: 'about', downwardAPI: { items: [] } },
        { name: 'room', emptyDir: {} },
      ]);
      await node.cluster.advance(5000);
      await pods(node).delete('web', { gracePeriodSeconds: 0 });
      heal();
      await node.cluster.advance(10_000);
      assert.deepEqual(leftIn(join(node.root, 'pods')), []);
      assert.deepEqual(leftIn(join(node.root, 'plugins/kubernetes.io/csi', DRIVER)), []);
      assert.deepEqual(node.driver.violations, []);
    });

  for (const code of ['EIO', 'EBUSY'])
    it(`whose folders could not be removed at first: ${code}`, async () => {
      let uid = 'none yet';
      const { files, heal } = failing({
        removeFolder: (path) =>
          path.endsWith(uid) ? Promise.reject(failure(code)) : machineFiles.removeFolder(path),
      });
      await using node = await startVolumeNode({ files });
      node.driver.fault = (method) => (method === 'publish' ? 'refuse' : undefined);
      await claim(node, 'data');
      uid = await run(node, 'web', ['data']);
      await pods(node).delete('web', { gracePeriodSeconds: 0 });
      await node.cluster.advance(2000);
      assert.ok(await isGone(node, 'web'));
      assert.deepEqual(leftIn(join(node.root, 'pods')), [uid]);
      heal();
      await node.cluster.advance(61_000);
      assert.deepEqual(leftIn(join(node.root, 'pods')), []);
    });

  it('that went while no process was there, and whose folders were busy at the start', async () => {
    let isBusy = false;
    const files: NodeFiles = {
      ...machineFiles,
      removeFolder: (path) => (isBusy ? Promise.reject(failure('EBUSY')) : machineFiles.removeFolder(path)),
    };
    await using node = await startVolumeNode({ files });
    await node.restart(async () => {
      await mkdir(join(node.root, 'pods/gone/volumes'), { recursive: true });
      isBusy = true;
    });
    await node.cluster.advance(2000);
    assert.deepEqual(leftIn(join(node.root, 'pods')), ['gone']);
    isBusy = false;
    await node.cluster.advance(61_000);
    assert.deepEqual(leftIn(join(node.root, 'pods')), []);
  });
});

const leftIn = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);
