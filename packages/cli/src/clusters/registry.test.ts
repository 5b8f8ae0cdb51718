import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock, realClock } from '@windlass/base';
import { kubeconfigToMergeInto } from './merge-target.ts';
import { Registry } from './registry.ts';
import { namedDataDir, registryFolder } from './user-folders.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-registry-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the registry', () => {
  const clusterIn = async (name: string, record: object): Promise<string> => {
    const dataDir = join(folder, name);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'cluster.json'), JSON.stringify(record));
    return dataDir;
  };

  it('lists clusters by name and forgets those that are gone', async () => {
    const clock = new FakeClock({ start: realClock.now() });
    const registry = new Registry(join(folder, 'registry'), clock);
    assert.deepEqual(await registry.clusters(), []);
    for (const [name, record] of [
      ['z', { name: 'two' }],
      ['y', {}],
      ['x', { name: 'one' }],
    ] as const)
      await registry.add(await clusterIn(name, record));
    await registry.add(join(folder, 'x'));
    await registry.add(join(folder, 'never-started'));
    assert.deepEqual(
      (await registry.clusters()).map(({ dataDir, record }) => [dataDir, record.name]),
      [
        [join(folder, 'y'), undefined],
        [join(folder, 'x'), 'one'],
        [join(folder, 'z'), 'two'],
      ],
    );
    await rm(join(folder, 'y'), { recursive: true });
    await registry.add(join(folder, 'z'));
    assert.equal((await readdir(join(folder, 'registry'))).length, 4, 'they may be about to start');
    clock.advanceSync(70_000);
    await registry.add(join(folder, 'z'));
    assert.equal((await readdir(join(folder, 'registry'))).length, 2);
  });
});

describe('folders of a user', () => {
  const HOME = '/home/ann';
  it('are where the XDG variables say, if those are absolute', () => {
    assert.equal(namedDataDir('dev', { HOME }), '/home/ann/.local/share/windlass/dev');
    assert.equal(namedDataDir('dev', { HOME, XDG_DATA_HOME: '/data' }), '/data/windlass/dev');
    assert.equal(namedDataDir('dev', { HOME, XDG_DATA_HOME: 'data' }), '/home/ann/.local/share/windlass/dev');
    assert.equal(registryFolder({ HOME }), '/home/ann/.local/state/windlass/clusters');
    assert.equal(registryFolder({ HOME, XDG_STATE_HOME: '/s' }), '/s/windlass/clusters');
  });

  it('a cluster is merged into the kubeconfig that kubectl would write', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    assert.equal(await kubeconfigToMergeInto({ HOME }), '/home/ann/.kube/config');
    assert.equal(await kubeconfigToMergeInto({ HOME, KUBECONFIG: '' }), '/home/ann/.kube/config');
    assert.equal(await kubeconfigToMergeInto({ HOME, KUBECONFIG: first }), first);
    const both = { HOME, KUBECONFIG: `:${first}:${second}` };
    assert.equal(await kubeconfigToMergeInto(both), second, 'none is there: the last');
    await writeFile(second, '');
    assert.equal(await kubeconfigToMergeInto(both), second);
    await writeFile(first, '');
    assert.equal(await kubeconfigToMergeInto(both), first);
  });
});
