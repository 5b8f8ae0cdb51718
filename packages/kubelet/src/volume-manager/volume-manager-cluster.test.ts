// The whole chain in one process, on the machine's clock: a claim becomes a volume on a drive, the kubelet finds
// the driver by its socket and mounts the volume, and all of it is found again after a restart.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';

const start = (dataDir: string): Promise<RunningCluster> =>
  startCluster({
    dataDir,
    nodes: 2,
    controllers: ['*'],
    drives: { perNode: 1, backend: 'directory', size: 2 ** 30 },
  });

describe('a claim on a drive', () => {
  it('is mounted for its pod, also after a restart, and grows', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'wl-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    let uid = '';
    {
      await using cluster = await start(dataDir);
      const client = createClient({ transport: cluster.transport() });
      await client
        .resource(PersistentVolumeClaim)
        .namespace('default')
        .create({
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'directpv-min-io',
            resources: { requests: { storage: '100Mi' } },
          },
        });
      const pods = client.resource(Pod).namespace('default');
      const { metadata } = await pods.create({
        metadata: { name: 'db' },
        spec: {
          containers: [{ name: 'db', image: 'db', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
        },
      });
      uid = metadata.uid;
      await until(
        'the pod runs',
        () => pods.get('db'),
        ({ status }) => status?.phase === 'Running',
      );
      await client.close();
    }
    await using cluster = await start(dataDir);
    const client = createClient({ transport: cluster.transport() });
    const pods = client.resource(Pod).namespace('default');
    assert.equal((await pods.get('db')).status?.phase, 'Running');
    const claims = client.resource(PersistentVolumeClaim).namespace('default');
    await claims.patch('data', { spec: { resources: { requests: { storage: '200Mi' } } } });
    await until(
      'the claim has grown',
      () => claims.get('data'),
      ({ status }) => status?.capacity?.['storage'] === '200Mi',
    );
    await pods.delete('db');
    await until('the pod is gone', () => pods.get('db').catch(isNotFound));
    const left = await readdir(dataDir, { recursive: true });
    assert.deepEqual(
      left.filter((path) => path.includes(uid)),
      [],
      'nothing of the pod is left',
    );
    await client.close();
  });
});
