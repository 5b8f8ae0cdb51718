import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { nextTurn } from '@windlass/base';
import { startTestCluster } from '@windlass/cluster/testing';
import { Backup, backupDefinition } from './backup.ts';
import { registerBackupController } from './controller.ts';
import { takeSnapshot } from './snapshot.ts';

test('snapshots come on time, hold what was there, and the oldest go', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-backup-'));
  t.after(() => rm(folder, { recursive: true }));
  await using cluster = await startTestCluster({ definitions: [backupDefinition] });
  const maps = cluster.client.resource(ConfigMap).namespace('default');
  await maps.create({ metadata: { name: 'kept' }, data: { color: 'blue' } });
  const { manager } = cluster.manager();
  registerBackupController(manager, folder);
  await manager.start();
  await cluster.client
    .resource(Backup)
    .create({ metadata: { name: 'often' }, spec: { everySeconds: 60, keep: 2 } });
  await cluster.settled();
  const [first = ''] = await readdir(folder);
  const lines = (await readFile(join(folder, first), 'utf8')).trimEnd().split('\n');
  const objects = lines.map((line) => JSON.parse(line) as ConfigMap);
  assert.ok(
    objects.some(
      ({ kind, metadata, data }) =>
        kind === 'ConfigMap' && metadata?.name === 'kept' && data?.['color'] === 'blue',
    ),
  );
  assert.ok(
    objects.some(({ kind, metadata }) => String(kind) === 'Namespace' && metadata?.name === 'default'),
  );
  const status = async () => (await cluster.client.resource(Backup).get('often')).status;
  assert.equal((await status())?.snapshots?.[0]?.objects, lines.length);

  await cluster.advance(59_000);
  assert.equal((await readdir(folder)).length, 1, 'not before its time');
  await cluster.advance(1000);
  assert.equal((await readdir(folder)).length, 2);
  await cluster.advance(60_000);
  const files = (await readdir(folder)).sort();
  assert.equal(files.length, 2);
  assert.ok(!files.includes(first), 'the oldest is gone');
  assert.deepEqual(
    (await status())?.snapshots?.map(({ file }) => file),
    files,
  );
});

test('all objects are of one moment, whatever is written meanwhile', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-backup-'));
  t.after(() => rm(folder, { recursive: true }));
  await using cluster = await startTestCluster();
  const maps = cluster.client.resource(ConfigMap).namespace('default');
  const names = ['a', 'b'];
  for (const name of names) await maps.create({ metadata: { name }, data: { round: '0' } });
  const over = new AbortController();
  const writer = (async () => {
    for (let round = 1; !over.signal.aborted; round++) {
      for (const name of names) await maps.patch(name, { data: { round: String(round) } });
      await nextTurn();
    }
  })();
  const file = join(folder, 'snapshot');
  const { resourceVersion } = await takeSnapshot(cluster.client, file, AbortSignal.timeout(10_000));
  over.abort();
  await writer;
  const objects = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ConfigMap);
  const rounds = names.map((name) =>
    Number(objects.find(({ metadata }) => metadata?.name === name)?.data?.['round']),
  );
  // a is always written before b.
  assert.ok(rounds[0] === rounds[1] || rounds[0] === (rounds[1] ?? 0) + 1, rounds.join(' and '));
  assert.ok(objects.every(({ metadata }) => Number(metadata?.resourceVersion) <= Number(resourceVersion)));
});
